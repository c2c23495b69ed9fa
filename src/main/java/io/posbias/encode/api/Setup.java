package io.posbias.encode.api;

/** Where a person said whom to ask: what errors call the service, and what they advise to change. */
enum Setup {
    /** A recipe, which names a service. */
    RECIPE {
        @Override
        String who(ApiSettings settings) {
            return settings.service().toString();
        }

        @Override
        String withoutKey() {
            return "leave out \"key\" if the server needs none";
        }

        @Override
        String keyWanted() {
            return "It wants a key: name the environment variable that holds it as the recipe's key.";
        }

        @Override
        String elsewhere() {
            return "name it as the recipe's endpoint";
        }

        @Override
        String tooLarge() {
            return "Set fewer texts or tokens per call in the recipe.";
        }

        @Override
        String wrong() {
            return "Does the recipe name the right service, model and dimension for this endpoint?";
        }
    },
    /** Options of the command line, which name a model. */
    OPTIONS {
        @Override
        String who(ApiSettings settings) {
            return settings.model();
        }

        @Override
        String withoutKey() {
            return "name no variable if the server needs no key";
        }

        @Override
        String keyWanted() {
            return "It wants a key: name the environment variable that holds it with --key-env or --judge-key-env.";
        }

        @Override
        String elsewhere() {
            return "give it as the address";
        }

        @Override
        String tooLarge() {
            return "The question is longer than the service takes.";
        }

        @Override
        String wrong() {
            return "Is this the address of a service that answers like OpenAI's chat completions?";
        }
    };

    /** What errors call who is asked. */
    abstract String who(ApiSettings settings);

    /** How to send no key. */
    abstract String withoutKey();

    /** How to send one. */
    abstract String keyWanted();

    /** How to follow a redirect. */
    abstract String elsewhere();

    /** What a request that is too large means. */
    abstract String tooLarge();

    /** What an answer of another shape may mean. */
    abstract String wrong();
}
