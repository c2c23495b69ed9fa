"""Training of a dense model on pairs of queries and passages, by sentence-transformers' own trainer; docs/training.md says how.

A training is a conversation: the request train prepares it, each request step trains one step, keep writes a checkpoint, and
save, behind the last step, writes the model.
"""
import bisect
import collections
import hashlib
import json
import os
import sys
import tempfile

os.environ["HF_DATASETS_OFFLINE"] = "1"
try:
    import accelerate  # noqa: F401
    import datasets  # noqa: F401
except ImportError as missing:
    raise SystemExit(f"{missing}: {sys.executable} -m pip install 'sentence-transformers[train]'") from None

from posbias_worker.loading import version

if int(version("sentence-transformers").partition(".")[0]) < 6:
    raise SystemExit(f"training needs sentence-transformers 6: {sys.executable} -m pip install -U 'sentence-transformers[train]'")

import huggingface_hub.constants
import safetensors.torch
import torch
import transformers
from posbias_worker.texts import characters_read, token_limit
from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.losses import CachedMultipleNegativesRankingLoss

# Of a passage for a query of a batch.
LEFT_OUT, NEGATIVE, OWN = 0, 1, 2
TEXTS = 1024
MODEL, MOMENTS = "model.safetensors", "optimizer.safetensors"


class Pairs:
    """The rows of a training set, in the order of training.

    A row is a query, its passage, the names (others) of passages that are no negatives of it, and hard negatives; a text has a name
    (id) and a document. A place counts rows through all epochs. A row is in the bin of its passage's length: edges are the lengths
    at which the second bin and further ones begin.
    """

    def __init__(self, file, negatives, seed, edges):
        with open(file, encoding="utf-8") as lines:
            self.rows = [json.loads(line) for line in lines]
        for row in self.rows:
            row["others"] = set(row["others"])
        self.bins = [bisect.bisect_right(edges, len(row["passage"]["text"])) for row in self.rows]
        self.negatives = negatives
        self.seed = seed

    def shuffled(self, items, *of):
        """Returns items in an order that follows from the seed and from what they are of."""
        keys = [hashlib.sha256("\n".join(map(str, (self.seed, *of, i))).encode()).hexdigest() for i in range(len(items))]
        return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]

    def steps(self, size):
        """Returns the number of batches of an epoch."""
        return sum(-(-rows // size) for rows in collections.Counter(self.bins).values())

    def epoch(self, number, size):
        """Returns the rows' numbers of the batches of an epoch, each of one bin; the last batch of a bin may be smaller."""
        bins = collections.defaultdict(list)
        for row in self.shuffled(range(len(self.rows)), number):
            bins[self.bins[row]].append(row)
        batches = [rows[at : at + size] for rows in bins.values() for at in range(0, len(rows), size)]
        return batches if len(bins) == 1 else self.shuffled(batches, number, "batch")

    def batches(self, size, first, last):
        """Returns the places of the batches of steps."""
        of_epoch = self.steps(size)
        batches, ordered, epoch = [], [], None
        for step in range(first, last):
            number, at = divmod(step, of_epoch)
            if number != epoch:
                ordered, epoch = self.epoch(number, size), number
            batches.append([number * len(self.rows) + row for row in ordered[at]])
        return batches

    def hard(self, place):
        """Returns the hard negatives of a row in its epoch: the next in turn, from the first again behind the last."""
        epoch, row = divmod(place, len(self.rows))
        own = self.rows[row]["negatives"]
        if len(own) <= self.negatives:
            return own
        return [own[(epoch * self.negatives + turn) % len(own)] for turn in range(self.negatives)]

    def batch(self, places):
        """Returns queries, passages, and what each passage is for each query."""
        rows = [self.rows[place % len(self.rows)] for place in places]
        # Neighbours in length, for little padding; the loss is a mean and knows no order.
        order = sorted(range(len(rows)), key=lambda i: -len(rows[i]["query"]))
        texts = [(i, row["passage"], OWN) for i, row in enumerate(rows)]
        texts += [(i, text, NEGATIVE) for i, place in enumerate(places) for text in self.hard(place)]
        texts.sort(key=lambda text: -len(text[1]["text"]))
        kinds = [
            [kind if i == owner else self.kind(rows[i], rows[owner], text, kind) for owner, text, kind in texts] for i in order
        ]
        return [rows[i]["query"] for i in order], [text["text"] for _, text, _ in texts], kinds

    @staticmethod
    def kind(row, other, text, kind):
        """Returns what a passage (OWN) or a hard negative (NEGATIVE) of another row is for the query of a row."""
        passage = row["passage"]
        no_negative = (
            passage["document"] == text["document"]
            or passage["text"] == text["text"]
            or text["id"] in row["others"]
            or (kind == OWN and row["query"] == other["query"])
        )
        return LEFT_OUT if no_negative else NEGATIVE


class Collator:
    """Makes the features of a batch: queries, passages of any number, and the matrix of kinds as label."""

    def __init__(self, inside, pairs, limits):
        self.inside, self.pairs, self.limits = inside, pairs, limits

    def __call__(self, places):
        queries, passages, kinds = self.pairs.batch(places)
        batch = {"label": torch.tensor(kinds, dtype=torch.int8)}
        for role, texts, task in (("query", queries, "query"), ("passage", passages, "document")):
            features = self.inside.model.preprocess(
                texts, prompt=self.inside.prompts[role] or None, task=task, max_length=self.limits[role]
            )
            batch |= {f"{role}_{name}": value for name, value in features.items()}
            batch[f"{role}_task"] = task
        return batch


class MaskedRankingLoss(CachedMultipleNegativesRankingLoss):
    """The library's loss, without the passages that a batch's label leaves out.

    Batches of few tokens are embedded once, with their graphs, instead of twice.
    """

    def __init__(self, model, scale, mini_batch_num_tokens, kept_tokens):
        super().__init__(model, scale=scale, mini_batch_num_tokens=mini_batch_num_tokens)
        self.kept_tokens = kept_tokens
        self.tokens = 0

    def forward(self, sentence_features, labels):
        features = list(sentence_features)
        self.tokens = sum(int(feature["attention_mask"].sum()) for feature in features)
        if self.tokens > self.kept_tokens:
            return super().forward(features, labels)
        return self.calculate_loss(
            [
                [reps for reps, _ in self.embed_minibatch_iter(feature, with_grad=True, copy_random_state=False)]
                for feature in features
            ],
            labels,
        )

    def calculate_loss(self, reps, labels=None, *, with_backward=False):
        queries, passages = (torch.cat(rep) for rep in reps)
        scores = self.similarity_fct(queries, passages) * self.scale
        loss = torch.nn.functional.cross_entropy(
            scores.masked_fill(labels == LEFT_OUT, -torch.inf), (labels == OWN).int().argmax(1)
        )
        if with_backward:
            loss.backward()
            loss = loss.detach()
        return loss


class Conversation(transformers.TrainerCallback):
    """Waits for a request before each step, and answers it with the loss behind it."""

    def __init__(self, read, answer, keep):
        self.read, self.answer, self.keep = read, answer, keep
        self.told = {}

    def on_step_begin(self, *given, **named):
        while (request := self.read()) is not None:
            if request["do"] == "step":
                return
            self.keep(request["folder"])
            self.answer({})
        os._exit(0)

    def on_step_end(self, *given, **named):
        self.answer(self.told)


class PairTrainer(SentenceTransformerTrainer):
    """Trains on places of pairs, without dropout, from a step on, and reports each loss as it is."""

    def __init__(self, inside, request, read, answer, scratch):
        settings = request["settings"]
        self.settings, self.done, self.steps = settings, request["done"], request["steps"]
        self.warm_up = request["warm_up_steps"]
        self.pairs = Pairs(request["pairs"], settings["negatives"], settings["seed"], settings["length_edges"])
        every = settings["epochs"] * self.pairs.steps(settings["batch"])
        if self.steps != min(settings["steps"] or every, every):
            raise SystemExit(f"{self.steps} steps are asked for, the pairs have batches for {every}")
        self.checkpoint = request.get("checkpoint")
        self.conversation = Conversation(read, answer, self.keep)
        model = inside.model
        on_gpu = model.device.type != "cpu"
        args = SentenceTransformerTrainingArguments(
            output_dir=scratch,
            num_train_epochs=1,
            learning_rate=settings["learning_rate"],
            weight_decay=settings["weight_decay"],
            max_grad_norm=settings["clip"],
            seed=settings["seed"] % 2**32,
            use_cpu=not on_gpu,
            dataloader_pin_memory=on_gpu,
            logging_strategy="no",
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        # Not copied to every GPU that there is.
        args._n_gpu = min(1, args.n_gpu)
        super().__init__(
            model=model,
            args=args,
            loss=MaskedRankingLoss(model, settings["scale"], settings["micro_batch"], settings["kept_tokens"]),
            data_collator=Collator(inside, self.pairs, limits(inside, settings)),
            callbacks=[self.conversation],
        )
        self.remove_callback(transformers.PrinterCallback)

    def add_model_card_callback(self, default_args_dict):
        """Adds none: it would encode examples for a page that is not written."""

    def get_train_dataloader(self):
        places = range(len(self.pairs.rows) * self.settings["epochs"])
        batches = self.pairs.batches(self.settings["batch"], self.done, self.steps)
        return self.accelerator.prepare(
            torch.utils.data.DataLoader(places, batch_sampler=batches, collate_fn=self.data_collator)
        )

    def create_optimizer(self, *given, **named):
        """Creates AdamW, with the weights and moments of a checkpoint if there is one."""
        optimizer = super().create_optimizer(*given, **named)
        if self.checkpoint:
            kept = safetensors.torch.load_file(os.path.join(self.checkpoint, MODEL))
            moments = safetensors.torch.load_file(os.path.join(self.checkpoint, MOMENTS))
            for name, weight in self.model.named_parameters():
                with torch.no_grad():
                    weight.copy_(kept[name])
                if f"first.{name}" in moments:
                    optimizer.state[weight] = {
                        "step": torch.tensor(float(self.done)),
                        "exp_avg": moments[f"first.{name}"].to(weight.device),
                        "exp_avg_sq": moments[f"second.{name}"].to(weight.device),
                    }
        return optimizer

    def create_scheduler(self, num_training_steps, optimizer=None):
        """Creates the linear schedule of all steps, from the first one here on."""
        optimizer = optimizer or self.optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.lr_scheduler = transformers.get_linear_schedule_with_warmup(
            optimizer, self.warm_up, self.steps, last_epoch=self.done - 1
        )
        return self.lr_scheduler

    def compute_loss(self, model, inputs, *given, **named):
        # The trainer has set it to training, where there is dropout.
        model.eval()
        return super().compute_loss(model, inputs, *given, **named)

    def training_step(self, *given, **named):
        loss = super().training_step(*given, **named)
        self.conversation.told = {"loss": finite("loss", loss.item()), "tokens": self.loss.tokens}
        squares = [weight.grad.square().sum() for weight in self.model.parameters() if weight.grad is not None]
        finite("gradient", torch.stack(squares).sum().item())
        return loss

    def keep(self, folder):
        """Writes weights and moments; its files are no pickles."""
        weights = dict(self.model.named_parameters())
        moments = {}
        for name, weight in weights.items():
            if state := self.optimizer.state.get(weight):
                moments |= {f"first.{name}": state["exp_avg"], f"second.{name}": state["exp_avg_sq"]}
        for file, tensors in ((MODEL, weights), (MOMENTS, moments)):
            contiguous = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
            safetensors.torch.save_file(contiguous, os.path.join(folder, file))


def finite(what, value):
    """Refuses a number that is none; posbias says of which step."""
    if not abs(value) < float("inf"):
        raise SystemExit(f"the {what} is {value}: a lower learning-rate may help")
    return value


def limits(inside, settings):
    """Returns the most tokens of a query and of a passage."""
    found = {}
    for role, setting in (("query", "query-tokens"), ("passage", "max-tokens")):
        most, wanted = token_limit(inside.model, role), settings[setting.replace("-", "_")]
        if most and wanted > most:
            raise SystemExit(f"{setting} is {wanted}: the model reads {most} tokens")
        found[role] = wanted or most
    return found


def counts(inside, pairs, most):
    """Returns how many tokens the pairs have, and how many passages, and evidence in them, are cut."""
    tokenizer, told = inside.model.tokenizer, {}
    columns = {"query": [row["query"] for row in pairs.rows], "passage": [row["passage"]["text"] for row in pairs.rows]}
    read = []
    for role, texts in columns.items():
        told[f"{role}_tokens"] = 0
        for at in range(0, len(texts), TEXTS):
            part = [inside.prompts[role] + text for text in texts[at : at + TEXTS]]
            ids = tokenizer(part, return_attention_mask=False, verbose=False)["input_ids"]
            told[f"{role}_tokens"] += sum(min(len(row), most[role] or len(row)) for row in ids)
        if role == "passage":
            read = characters_read(tokenizer, most[role], texts, inside.prompts[role])
    if read is None:
        return told
    ends = [row["evidence"] for row in pairs.rows]
    return {
        **told,
        "truncated": sum(end >= 0 for end in read),
        "evidence_cut": sum(0 <= end < evidence for end, evidence in zip(read, ends)),
    }


def pool(model, pooling):
    """Makes a model pool in another way."""
    layers = [part for part in model if type(part).__name__ == "Pooling"]
    if len(layers) != 1:
        raise SystemExit(f"pooling is {pooling}: the model has {len(layers)} Pooling modules, not one")
    layers[0].pooling_mode = {"last": "lasttoken"}.get(pooling, pooling)


def train(inside, request, read, answer):
    """Trains as the requests say that read() returns; answers them all but what comes behind the last step."""
    huggingface_hub.constants.HF_HUB_OFFLINE = True
    model = inside.model
    if any(weight.dtype != torch.float32 for weight in model.parameters()):
        raise SystemExit("the model has weights of 16 bits: training needs --dtype float32")
    if model.device.type == "cuda" and model.device.index:
        raise SystemExit(
            f"the model is on {model.device}, the trainer uses the first GPU that it sees: CUDA_VISIBLE_DEVICES={model.device.index}"
        )
    if request["settings"].get("pooling"):
        pool(model, request["settings"]["pooling"])
    with tempfile.TemporaryDirectory() as scratch:
        trainer = PairTrainer(inside, request, read, answer, scratch)
        answer(counts(inside, trainer.pairs, trainer.data_collator.limits))
        trainer.train()


def save(inside, folder):
    """Writes the model as a folder that sentence-transformers loads; its vectors are compared as in training."""
    model = inside.model
    model.similarity_fn_name = "cosine"
    model.prompts = {**(model.prompts or {}), "query": inside.prompts["query"], "document": inside.prompts["passage"]}
    model.save_pretrained(folder, create_model_card=False)
