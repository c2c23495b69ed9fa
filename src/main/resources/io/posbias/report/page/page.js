'use strict';

// Everything shown comes from the JSON in #data and goes into the page as text nodes and attributes, never as markup.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const NONE = '–';
  const ALL = 'all';
  const COLOURS = 7;
  /** How much of its colour a band has. */
  const BAND = 0.13;
  const DASHES = [[], [7, 4], [2, 3], [10, 4, 2, 4]];
  /** What a position is, by the kind of buckets. */
  const PLACES = {
    characters: 'start of the evidence, in characters',
    'characters-closed': 'start of the evidence, in characters',
    relative: 'middle of the evidence, as a share of the passage',
  };
  const MARKERS = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'rectRounded', 'star'];

  // ---- Small helpers ----

  const at = id => document.getElementById(id);

  /** An element with attributes (and on… handlers, and class names), around texts and other elements. */
  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (!has(value) || value === false) continue;
      if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
      else if (key === 'class') made.className = value;
      else made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children.flat().filter(has));
    return made;
  }

  const fill = (id, ...children) => at(id).replaceChildren(...children.flat());
  const unique = values => [...new Set(values)];
  const plural = (n, word) => `${n.toLocaleString('en')} ${word === 'query' && n !== 1 ? 'queries' : word + (n === 1 ? '' : 's')}`;
  const has = value => value !== null && value !== undefined;
  const isNumber = value => typeof value === 'number';
  const points = value => isNumber(value) ? (100 * value).toFixed(1) : NONE;
  const percent = value => isNumber(value) ? (100 * value).toFixed(1) + '\u00a0%' : NONE;
  const fraction = value => isNumber(value) ? value.toFixed(3) : NONE;
  const pValue = value => isNumber(value) && value < 0.001 ? '<0.001' : fraction(value);
  const range = ([, low, high], shown) => isNumber(low) && isNumber(high) ? `${shown(low)} to ${shown(high)}` : '';

  // ---- What there is ----

  const {results, models} = data;
  const datasets = unique(results.map(result => result.dataset));

  /** A model looks the same in every chart: its colour, marker and dashes follow from its place among all models. */
  const looks = new Map(models.map((label, i) => [label, {
    colour: `--model-${i % COLOURS}`,
    marker: MARKERS[(i + Math.floor(i / COLOURS)) % MARKERS.length],
    dash: DASHES[(i + Math.floor(i / COLOURS)) % DASHES.length],
  }]));

  const state = {
    dataset: datasets[0],
    measure: data.measure,
    stratum: ALL,
    models: new Set(models),
    sort: {key: 'query_mean', descending: true},
    query: null,
    search: '',
  };

  const isOneDataset = () => state.dataset !== '';
  const isShown = dataset => !isOneDataset() || dataset === state.dataset;
  const inScope = () => results.filter(result => isShown(result.dataset));
  const profilesInScope = () => inScope().flatMap(result => result.profiles);

  /** The cells that pass all filters, each with its profile. */
  function rows() {
    return inScope()
      .filter(result => state.models.has(result.label))
      .map(result => ({result, profile: result.profiles.find(profile =>
        profile.measure === state.measure && profile.stratum === state.stratum)}))
      .filter(row => row.profile);
  }

  const bucketNames = some => unique(some.flatMap(row => row.profile.buckets.map(bucket => bucket[0])));

  /** A bucket of a row by name: {queries, mean, low, high, thin}; null when the row has none. */
  function bucketOf(row, name) {
    const found = row.profile.buckets.find(bucket => bucket[0] === name);
    return found ? {queries: found[1], mean: found[2], low: found[3], high: found[4], thin: found[5] === 1} : null;
  }

  const bucketText = bucket =>
    bucket === null ? NONE : points(bucket.mean) + (bucket.thin && isNumber(bucket.mean) ? '†' : '');

  // ---- Filters ----

  function options(id, values, chosen, text) {
    fill(id, values.map(value => el('option', {value, selected: value === chosen}, text ? text(value) : value)));
    at(id).value = chosen;
    at(id).disabled = values.length < 2;
  }

  /** Measures and strata are those that the chosen dataset has; what it lacks falls back to its first. */
  function renderFilters() {
    options('dataset', datasets.length > 1 ? [...datasets, ''] : datasets, state.dataset,
      name => name === '' ? `all ${datasets.length} datasets` : name);
    const measures = unique(profilesInScope().map(profile => profile.measure));
    const strata = unique(profilesInScope().map(profile => profile.stratum));
    if (!measures.includes(state.measure)) state.measure = measures[0];
    if (!strata.includes(state.stratum)) state.stratum = strata[0];
    options('measure', measures, state.measure);
    options('stratum', strata, state.stratum);
  }

  /** The models that have a result on what is shown. */
  function renderModels() {
    const here = new Set(inScope().map(result => result.label));
    fill('models', models.filter(label => here.has(label)).map(label => el('label', highlighting(label),
      el('input', {type: 'checkbox', value: label, checked: state.models.has(label), onchange: event => {
        if (event.target.checked) state.models.add(label);
        else state.models.delete(label);
        render();
      }}),
      swatch(label), label)));
  }

  function swatch(label) {
    const look = looks.get(label);
    const canvas = el('canvas', {class: 'swatch', width: 68, height: 28, 'aria-hidden': 'true'});
    const pen = canvas.getContext('2d');
    pen.scale(2, 2);
    pen.strokeStyle = pen.fillStyle = colour(look.colour);
    pen.lineWidth = 2;
    pen.setLineDash(look.dash);
    pen.beginPath();
    pen.moveTo(1, 7);
    pen.lineTo(33, 7);
    pen.stroke();
    pen.setLineDash([]);
    Chart.helpers.drawPoint(pen, {pointStyle: look.marker, radius: 4.5, borderWidth: 2}, 17, 7);
    return canvas;
  }

  // ---- Leaderboard ----

  const estimate = (name, key, title, shown) => ({
    key, name, title,
    value: row => row.profile[key][0],
    cell: row => withInterval(shown(row.profile[key][0]), range(row.profile[key], shown)),
  });

  /** Of which some rows have none. */
  const optional = (name, key, title, shown) => ({
    key, name, title,
    value: row => row.profile[key]?.[0],
    cell: row => row.profile[key] ? withInterval(shown(row.profile[key][0]), range(row.profile[key], shown)) : NONE,
  });

  const plain = (name, key, title, shown) =>
    ({key, name, title, value: row => row.profile[key], cell: row => shown(row.profile[key])});

  const withInterval = (text, interval) => interval ? [text, el('span', {class: 'interval'}, interval)] : [text];

  function columns(some) {
    const list = [
      {key: 'model', name: 'Model', value: row => row.result.label, cell: row => [...modelCell(row.result), strip(row)],
        text: true},
    ];
    if (!isOneDataset()) {
      list.push({key: 'dataset', name: 'Dataset', value: row => row.result.dataset,
        cell: row => row.result.dataset, text: true});
    }
    list.push(
      estimate('Query mean', 'query_mean', 'Mean over all queries, in points', points));
    // Right after the mean: the page is about them, and what comes last is out of sight on most screens.
    if (isOneDataset()) {
      for (const name of bucketNames(some)) {
        list.push({key: 'bucket ' + name, name, title: 'Mean of the bucket ' + name + ', in points',
          value: row => bucketOf(row, name)?.mean, cell: row => bucketText(bucketOf(row, name))});
      }
    }
    const more = at('all-columns').checked;
    list.push(
      {...estimate('PSI', 'psi', 'Position Sensitivity Index, 1 − lowest / highest bucket mean', fraction), cell: psiCell},
      plain('p', 'p', 'Share of draws without effect of position that reach PSI', pValue),
      {key: 'verdict', name: 'Verdict', title: 'The first cause that explains the numbers, or two, the larger part of the loss first',
        value: row => row.profile.verdict, cell: verdictCell, text: true},
      ...(some.some(row => row.profile.places) ? [
        optional('Loss at back', 'loss', '1 − back / front with the content held fixed', percent),
      ] : []));
    if (more) {
      list.push(
        plain('Corrected', 'corrected', 'PSI minus its estimated bias', fraction),
        plain('noise95', 'noise95', '95th percentile of PSI where positions do not matter', fraction),
        ...(some.some(row => row.profile.places) ? [
          optional('by position', 'position_loss', 'Part of the loss where the evidence is read', percent),
          optional('by not reading', 'reading_loss', 'Part of the loss because the evidence is not read', percent),
          optional('Worst place', 'worst', 'Mean of the worst place minus the mean of all places, in points', points),
          plain('Flips', 'flips', 'Queries found in the top 10 with the evidence in front only : at the back only', text => text ?? NONE),
          optional('cPSI', 'cpsi', 'PSI with the content held fixed', fraction),
          optional('Front − back', 'ends', 'First places minus last places with the content held fixed, in points', points),
        ] : []),
        estimate('Bucket mean', 'bucket_mean', 'Mean of bucket means, in points', points),
        plain('Queries', 'queries', 'How many queries', n => n > 0 ? n.toLocaleString('en') : NONE),
        {key: 'family', name: 'Family', value: row => row.result.family, cell: row => row.result.family, text: true});
    }
    return list;
  }

  function modelCell(result) {
    return [result.model, result.published ? el('span', {class: 'tag'}, ' published') : null];
  }

  /** A passage as a bar with a cell for each place. A head of a row is read with each cell, so its numbers are in the verdict's. */
  function strip(row) {
    if (!row.profile.strip.length) return null;
    return el('div', {class: 'strip', 'aria-hidden': 'true', title: row.profile.strip_text},
      row.profile.strip.map(([mean, unread, fill, dark]) => {
        const cell = el('span', {class: isNumber(mean) ? dark ? 'dark' : 'light' : null});
        if (fill) cell.style.setProperty('--fill', fill);
        cell.style.setProperty('--unread', `${100 * unread}%`);
        return cell;
      }));
  }

  function psiCell(row) {
    const cell = withInterval(fraction(row.profile.psi[0]), range(row.profile.psi, fraction));
    return row.profile.undefined ? [...cell, el('span', {class: 'interval'}, 'undefined: ' + row.profile.undefined)] : cell;
  }

  const isMoved = row => row.profile.cpsi !== undefined;

  const isFixed = row => row.profile.verdict && isMoved(row);

  function verdictCell(row) {
    const word = row.profile.verdict;
    const places = row.profile.strip.length
      ? el('span', {class: 'visually-hidden'}, `; points by place of the evidence: ${row.profile.strip_text}`) : null;
    if (!word) return [NONE, places];
    return [el('span', {class: `verdict ${row.profile.kind}`, title: row.profile.answer},
      word + (isFixed(row) ? '‡' : ''), el('span', {class: 'visually-hidden'}, ': ' + row.profile.answer)), places];
  }

  /** The mark of a row in a column, by tests among the shown models; none where a row has no tests. */
  function tiers(some, key) {
    const better = row => row.profile.better[key].filter(name => some.some(other => other.result.model === name));
    if (!isOneDataset() || some.length < 2 || !some.every(row => row.profile.better?.[key])) return () => null;
    const best = new Set(some.filter(row => better(row).length === 0).map(row => row.result.model));
    return row => best.size === some.length ? null : better(row).length === 0 ? 'best'
      : better(row).every(name => best.has(name)) ? 'second' : null;
  }

  /** By the chosen column; rows without a value come last whichever way. */
  function sorted(some, column) {
    const way = state.sort.descending ? -1 : 1;
    return [...some].sort((a, b) => {
      const [x, y] = [column.value(a), column.value(b)];
      if (!has(x) || !has(y)) return has(y) - has(x);
      return way * (isNumber(x) ? x - y : x.localeCompare(y, 'en'));
    });
  }

  function sortBy(column) {
    state.sort = state.sort.key === column.key
      ? {key: column.key, descending: !state.sort.descending}
      : {key: column.key, descending: !column.text};
    renderBoard();
    at('board').querySelector('th[aria-sort] button').focus();
    at('sorted').textContent = `sorted by ${column.name}, ${state.sort.descending ? 'descending' : 'ascending'}`;
  }

  function renderBoard() {
    const some = rows();
    const list = columns(some);
    // Published rows may have one of the means only; a chosen column may be gone with its dataset.
    const by = [state.sort.key, 'query_mean', 'bucket_mean'].map(key => list.find(column => column.key === key))
      .find(column => column && some.some(row => has(column.value(row)))) || list[0];
    const look = column => column.text ? 'text' : column.key.startsWith('bucket ') ? 'bucket' : null;
    const head = el('tr', {}, list.map(column => el('th', {
      scope: 'col', class: look(column),
      'aria-sort': column === by ? (state.sort.descending ? 'descending' : 'ascending') : null,
    }, el('button', {type: 'button', title: column.title, onclick: () => sortBy(column)}, column.name))));
    const marks = new Map(list.map(column => [column, tiers(some, column.key)]));
    const classes = (column, row) => [look(column), marks.get(column)(row)].filter(Boolean).join(' ') || null;
    const body = sorted(some, by).map(row => el('tr', highlighting(row.result.label), list.map((column, i) => i === 0
      ? el('th', {scope: 'row'}, column.cell(row))
      : el('td', {class: classes(column, row)}, column.cell(row)))));
    fill('board', el('thead', {}, head), el('tbody', {}, body.length ? body : empty(list.length)));
    const tested = isOneDataset() && some.length > 1 && some.every(row => row.profile.better?.query_mean)
      ? ` Bold: no model shown is better, underlined: only bold ones are (Holm p < ${data.level} over all pairs of models);`
        + ' a column without differences has neither.' : '';
    fill('leaderboard-hint', `${state.measure} in points, PSI as a fraction. Headers sort.${tested}`);
    fill('notes', notes(some).map(note => el('li', {}, note)));
  }

  const empty = width => el('tr', {}, el('td', {colspan: width, class: 'empty'}, 'Nothing passes the filters.'));

  /** What there is to say on how passages were found; the same sentence once. */
  function notes(some) {
    const list = some.flatMap(({result}) => {
      const own = [...result.notes];
      if (result.unanswered > 0) own.push(`${result.label} found nothing for ${plural(result.unanswered, 'query')}: ${result.unanswered === 1 ? 'it scores' : 'they score'} 0`);
      return isOneDataset() ? own : own.map(note => `${result.dataset}: ${note}`);
    });
    const thin = some.find(row => row.profile.buckets.some(bucket => bucket[5] === 1 && isNumber(bucket[2])));
    if (thin) list.push(`† fewer than ${thin.result.settings.thin_below} queries: the mean says little`);
    const strips = some.filter(row => row.profile.strip.length);
    if (strips.length) {
      list.push('bar below a name: a passage from its beginning to its end; a cell is '
        + (strips.every(isMoved) ? 'what is found with the same evidence there'
          : strips.some(isMoved) ? 'what is found with the evidence there, the same evidence for ‡'
            : 'what is found of the queries with their evidence there')
        + ', from dark (0 points) to yellow (100)'
        + (strips.some(row => row.profile.strip.some(cell => cell[1] > 0))
          ? '; hatched is the share of the evidence that the model does not read' : ''));
    }
    if (some.some(isFixed)) list.push('‡ with the content held fixed');
    return unique(list);
  }

  // ---- Charts ----

  let charts = [];

  /** While the mouse or the focus is on something of a model, the others' lines step back. */
  function highlighting(label) {
    const [on, off] = [() => highlight(label), () => highlight(null)];
    return {onmouseenter: on, onmouseleave: off, onfocusin: on, onfocusout: off};
  }

  function highlight(label) {
    for (const chart of charts) {
      for (const set of chart.data.datasets) {
        const own = colour(looks.get(set.label).colour);
        const back = label !== null && set.label !== label;
        set.borderColor = back ? faint(own, 0.15) : own;
        if (set.thin) set.pointBackgroundColor = filled(set.thin, set);
        set.backgroundColor = set.fill ? faint(own, back ? BAND / 4 : BAND) : set.borderColor;
      }
      chart.update('none');
    }
  }

  /** What a colour of the style comes to in the light or dark that is on. */
  function colour(name) {
    const probe = at('theme');
    probe.style.borderTopColor = `var(${name})`;
    const resolved = getComputedStyle(probe).borderTopColor;
    probe.style.borderTopColor = '';
    return resolved;
  }

  const faint = (rgb, alpha) => rgb.replace(/^rgba?\(([^,)]+),([^,)]+),([^,)]+).*\)$/, `rgba($1,$2,$3,${alpha})`);

  function line(label) {
    const look = looks.get(label);
    const stroke = colour(look.colour);
    return {
      label, borderColor: stroke, backgroundColor: stroke, borderDash: look.dash, borderWidth: 2,
      pointStyle: look.marker, pointRadius: 4.5, pointHoverRadius: 7, pointBorderWidth: 2,
    };
  }

  const filled = (thin, {borderColor}) => thin.map(isThin => isThin ? colour('--paper') : borderColor);

  /** Both ends of the intervals as invisible lines with the room between them filled, then the means. */
  function curve(row, names) {
    const own = names.map(name => bucketOf(row, name));
    const look = line(row.result.label);
    const main = {...look, row, data: own.map(bucket => bucket?.mean == null ? null : 100 * bucket.mean),
      // Hollow, as in the figures: few queries.
      thin: own.map(bucket => bucket?.thin), pointBackgroundColor: filled(own.map(bucket => bucket?.thin), look)};
    if (!at('intervals').checked) return [main];
    const end = key => own.map(bucket => isNumber(bucket?.[key]) ? 100 * bucket[key] : null);
    const edge = {label: row.result.label, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0};
    return [
      {...edge, data: end('low')},
      {...edge, data: end('high'), fill: '-1', backgroundColor: faint(main.borderColor, BAND)},
      main,
    ];
  }

  function axis(title, more) {
    return {
      title: {display: true, text: title, color: colour('--ink')},
      grid: {color: colour('--line')},
      border: {color: colour('--control')},
      ticks: {color: colour('--quiet')},
      ...more,
    };
  }

  function plot(canvas, config, label) {
    return new Chart(canvas, {
      ...config,
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        ...config.options,
        plugins: {
          legend: {display: false},
          tooltip: {
            backgroundColor: colour('--panel'), titleColor: colour('--ink'), bodyColor: colour('--ink'),
            borderColor: colour('--control'), borderWidth: 1, usePointStyle: true, boxPadding: 4,
            ...config.options.plugins.tooltip,
          },
        },
      },
    });
  }

  function hoverText(row, name) {
    const bucket = bucketOf(row, name);
    const interval = range([bucket.mean, bucket.low, bucket.high], points);
    const count = bucket.queries > 0 ? `, ${plural(bucket.queries, 'query')}` : '';
    return `${row.result.label}  ${bucketText(bucket)}${interval ? ` [${interval}]` : ''}${count}`;
  }

  /** Where an axis of points does not begin at 0, its title says so. */
  function sayingWhereItBegins(chart) {
    if (chart.scales.y.min > 0) {
      chart.options.scales.y.title.text += ', not from 0';
      chart.update('none');
    }
    return chart;
  }

  function curvesChart(canvas, some, names) {
    const isMain = item => item.dataset.row !== undefined;
    const chart = plot(canvas, {
      type: 'line',
      data: {labels: names, datasets: some.flatMap(row => curve(row, names))},
      options: {
        interaction: {mode: 'index', intersect: false},
        scales: {
          x: axis(PLACES[some[0].result.settings.buckets.split(':')[0]] || 'position of the evidence'),
          y: axis(`${state.measure} in points`, {beginAtZero: at('zero').checked}),
        },
        plugins: {tooltip: {
          filter: isMain,
          itemSort: (a, b) => b.parsed.y - a.parsed.y,
          callbacks: {label: item => hoverText(item.dataset.row, item.label)},
        }},
      },
    });
    canvas.addEventListener('keydown', event => step(event, chart, some, names));
    return sayingWhereItBegins(chart);
  }

  /** Left and right move over the buckets as the mouse does. */
  function step(event, chart, some, names) {
    const move = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!move) return;
    event.preventDefault();
    const from = chart.getActiveElements()[0]?.index;
    const index = from === undefined ? (move > 0 ? 0 : names.length - 1)
      : Math.min(names.length - 1, Math.max(0, from + move));
    const active = chart.data.datasets.flatMap((set, datasetIndex) =>
      set.row && set.data[index] !== null ? [{datasetIndex, index}] : []);
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, {x: 0, y: 0});
    chart.update('none');
    at('pointed').textContent = `${names[index]}: ` + some.filter(row => bucketOf(row, names[index]))
      .map(row => hoverText(row, names[index])).join('; ');
  }

  /** Means of places with the content held fixed, and their bands. */
  function placesChart(canvas, some) {
    const pick = (row, i) => row.profile.places.map(place => isNumber(place[i]) ? 100 * place[i] : null);
    return sayingWhereItBegins(plot(canvas, {
      type: 'line',
      data: {labels: some[0].profile.places.map((_, i) => i + 1), datasets: some.flatMap(row => {
        const main = {...line(row.result.label), row, data: pick(row, 0)};
        const edge = {borderWidth: 0, pointRadius: 0, pointHoverRadius: 0};
        return at('intervals').checked
          ? [{...edge, data: pick(row, 1)}, {...edge, data: pick(row, 2), fill: '-1', backgroundColor: faint(main.borderColor, BAND)}, main]
          : [main];
      })},
      options: {
        interaction: {mode: 'index', intersect: false},
        scales: {
          x: axis('place of the evidence in its passage, first to last'),
          y: axis(`${state.measure} in points`, {beginAtZero: at('zero').checked}),
        },
        plugins: {tooltip: {
          filter: item => item.dataset.row !== undefined,
          callbacks: {label: item => `${item.dataset.row.result.label}  ${item.parsed.y.toFixed(2)}`},
        }},
      },
    }));
  }

  function scatterChart(canvas, some) {
    const known = some.filter(row => isNumber(row.profile.psi[0]) && isNumber(meanOf(row)[0]));
    return plot(canvas, {
      type: 'scatter',
      plugins: [{id: 'names', afterDatasetsDraw: nameWithoutOverlap}],
      data: {datasets: known.flatMap(row => {
        const x = 100 * meanOf(row)[0];
        const [psi, low, high] = row.profile.psi;
        const look = line(row.result.label);
        const ends = isNumber(low) && at('intervals').checked ? [{x, y: low}, {x, y: high}] : [];
        return [
          {...look, row, data: [{x, y: psi}], order: 0},
          {...look, data: ends, type: 'line', pointRadius: 0, pointHoverRadius: 0, borderWidth: 1.5, borderDash: [], order: 1},
        ];
      })},
      options: {
        scales: {
          x: axis(`mean ${state.measure} in points`, {grace: '10%'}),
          y: axis('PSI', {min: 0, suggestedMax: 0.2}),
        },
        plugins: {tooltip: {
          filter: item => item.dataset.row !== undefined,
          callbacks: {label: ({dataset: {row}}) => `${row.result.label}  PSI ${fraction(row.profile.psi[0])}`
            + `, mean ${points(meanOf(row)[0])}${row.profile.verdict ? ', ' + row.profile.verdict : ''}`},
        }},
      },
    });
  }

  /** Writes models' names at the free places nearest to their points, with a line where a name is not beside its point. */
  function nameWithoutOverlap(chart) {
    const {ctx: pen, chartArea: area} = chart;
    const [height, gap, beside] = [14, 8, 24];
    pen.save();
    pen.font = `11px ${Chart.defaults.font.family}`;
    pen.textBaseline = 'middle';
    const shown = chart.data.datasets.map((set, i) => ({set, point: chart.getDatasetMeta(i).data[0]})).filter(({set}) => set.row);
    const taken = shown.map(({point}) => ({x: point.x - 6, y: point.y - 6, width: 12, height: 12}));
    const isFree = box => box.y >= area.top && box.y + height <= area.bottom
      && !taken.some(other => box.x < other.x + other.width && other.x < box.x + box.width
        && box.y < other.y + other.height && other.y < box.y + height);
    const inside = (x, width) => Math.max(area.left + 2, Math.min(area.right - 2 - width, x));
    for (const {set, point} of shown) {
      const width = pen.measureText(set.label).width;
      const lines = Math.ceil((area.bottom - area.top) / height);
      const rows = Array.from({length: 2 * lines + 1}, (_, i) => (i % 2 ? 1 : -1) * Math.ceil(i / 2) * height);
      const free = rows.flatMap(dy => [point.x + gap, point.x - gap - width, point.x - width / 2]
        .map(x => ({x: inside(x, width), y: point.y - height / 2 + dy, width, height}))).find(isFree);
      if (!free) continue;
      taken.push(free);
      pen.fillStyle = pen.strokeStyle = colour(looks.get(set.label).colour);
      pen.fillText(set.label, free.x, free.y + height / 2);
      const end = Math.max(free.x, Math.min(free.x + width, point.x));
      const middle = free.y + height / 2;
      if (Math.hypot(end - point.x, middle - point.y) > beside) {
        pen.beginPath();
        pen.moveTo(point.x, point.y);
        pen.lineTo(end, middle + (middle < point.y ? height : -height) / 2);
        pen.stroke();
      }
    }
    pen.restore();
  }

  /** Published rows of some papers have bucket means only. */
  const meanOf = row => isNumber(row.profile.query_mean[0]) ? row.profile.query_mean : row.profile.bucket_mean;

  function figure(canvas, caption) {
    return el('figure', {}, el('figcaption', {}, caption), el('div', {class: 'canvas'}, canvas));
  }

  function renderCharts() {
    charts.forEach(chart => chart.destroy());
    charts = [];
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    const some = rows();
    const shown = datasets.filter(name => some.some(row => row.result.dataset === name));
    fill('curves', shown.length ? [] : el('p', {class: 'empty'}, 'Nothing passes the filters.'));
    fill('bucket-tables');
    for (const name of shown) {
      const own = some.filter(row => row.result.dataset === name);
      const names = bucketNames(own);
      const where = name + (state.stratum === ALL ? '' : ', length ' + state.stratum);
      if (names.length === 0 && own.every(row => !isNumber(row.profile.psi[0]))) {
        at('curves').append(el('p', {class: 'empty'},
          `${name}: no evidence positions, so no buckets and no PSI.`));
        continue;
      }
      const pair = el('div', {class: 'pair'});
      at('curves').append(pair);
      // A point alone compares nothing.
      if (own.filter(row => isNumber(row.profile.psi[0]) && isNumber(meanOf(row)[0])).length > 1) {
        const scatter = el('canvas', {role: 'img', 'aria-label': `PSI against mean ${state.measure} on ${where}, `
          + 'a point for each model. The leaderboard has the numbers.'});
        pair.append(figure(scatter, `PSI against the mean, ${where}`));
        charts.push(scatterChart(scatter, own));
      }
      // Some published results are without buckets.
      if (names.length === 0) {
        if (!pair.hasChildNodes()) pair.append(el('p', {class: 'empty'}, `${name}: no buckets; the leaderboard has the numbers.`));
        continue;
      }
      const curves = el('canvas', {tabindex: 0, role: 'img', 'aria-label': `${state.measure} by position on ${where}, `
        + 'a line for each model. The arrow keys left and right step over the buckets; a table follows.'});
      pair.prepend(figure(curves, `${state.measure} by position, ${where}`));
      charts.push(curvesChart(curves, own, names));
      const placed = own.filter(row => row.profile.places);
      if (placed.length > 0) {
        const places = el('canvas', {role: 'img', 'aria-label': `${state.measure} with the content held fixed on ${where}, `
          + 'a line for each model over the places of the evidence. The leaderboard has cPSI and front − back.'});
        pair.append(figure(places, `Content held fixed, ${where}`));
        charts.push(placesChart(places, placed));
      }
      at('bucket-tables').append(...bucketTable(where, own, names));
    }
    renderLosses();
  }

  function bucketTable(where, some, names) {
    const cell = (row, name) => {
      const bucket = bucketOf(row, name);
      return el('td', {}, bucketText(bucket), bucket && el('span', {class: 'interval'},
        range([bucket.mean, bucket.low, bucket.high], points)), bucket && bucket.queries > 0
        ? el('span', {class: 'interval'}, 'n ' + bucket.queries.toLocaleString('en')) : null);
    };
    return [el('h3', {}, where), el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Buckets of ' + where},
      el('table', {},
        el('thead', {}, el('tr', {}, ['Model', ...names].map((name, i) =>
          el('th', {scope: 'col', class: i === 0 ? 'text' : null}, name)))),
        el('tbody', {}, some.map(row => el('tr', {}, el('th', {scope: 'row'}, row.result.label),
          names.map(name => cell(row, name)))))))];
  }

  // ---- Over benchmarks ----

  const ofEstimate = estimate => has(estimate) ? [estimate.value, ...estimate.interval] : [null, null, null];
  const lossCell = loss => el('td', {}, withInterval(percent(ofEstimate(loss)[0]), range(ofEstimate(loss), percent)));

  function table(id, heads, rows) {
    fill(id, el('thead', {}, el('tr', {}, heads.map(([name, kind]) => el('th', {scope: 'col', class: kind}, name)))),
      el('tbody', {}, rows));
  }

  /** Models whose loss is larger by the tests of all pairs. */
  function betterThan(model) {
    return data.losses.comparisons.filter(pair => pair.holm_p_value < 1 - data.losses.confidence)
      .map(({first, second, difference}) => difference.value > 0 ? [first, second] : [second, first])
      .filter(([winner]) => winner === model).map(pair => pair[1]);
  }

  function renderLosses() {
    at('losses').hidden = !data.losses;
    if (!data.losses) return;
    const {measure, content_fixed: fixed, weights, confidence, notes: own} = data.losses;
    const some = data.losses.models.filter(({model}) => state.models.has(model));
    fill('losses-hint', `Loss at the back, 1 − back / front, by ${measure}${fixed ? ' with the content held fixed'
      : ' of profiles, which includes what is asked there'}; benchmarks weighted ${weights === 'equal' ? 'equally' : 'by precision'}, ${+(100 * confidence).toFixed(6)}% intervals. Better than: models with a larger `
      + `loss (Holm p < ${data.level} over ${plural(data.losses.comparisons.length, 'pair')} of models).`);
    const p = loss => el('td', {}, pValue(loss?.p_value));
    table('loss-table', [['Model', 'text'], ['Benchmarks'], ['Loss at back'], ['p'], ['Better than', 'text'], ['tau'], ['I²'], ['Prediction']],
      some.map(({model, benchmarks, over}) => el('tr', {}, el('th', {scope: 'row'}, model),
        el('td', {}, String(benchmarks.length)), lossCell(over.loss), p(over.loss),
        el('td', {class: 'text'}, betterThan(model).join(', ') || NONE), el('td', {}, fraction(over.over?.tau)),
        el('td', {}, percent(over.over?.share)),
        el('td', {}, over.over?.prediction ? range([null, ...over.over.prediction], percent) : NONE))));
    table('loss-benchmarks', [['Model', 'text'], ['Dataset', 'text'], ['Queries'], ['Clusters'], ['Loss at back'], ['p']],
      some.flatMap(({benchmarks}) => benchmarks).map(line => el('tr', {}, el('th', {scope: 'row'}, line.model),
        el('td', {class: 'text'}, line.dataset), el('td', {}, line.queries.toLocaleString('en')),
        el('td', {}, line.clusters.toLocaleString('en')), lossCell(line.loss), p(line.loss))));
    fill('loss-notes', own.map(note => el('li', {}, note)));
    const canvas = el('canvas', {role: 'img', 'aria-label': 'Loss at the back of each model on each benchmark and over all, '
      + 'with intervals. Tables follow.'});
    fill('forest', figure(canvas, 'Loss at the back, per cent'));
    charts.push(forestChart(canvas, some));
  }

  /** A row for each benchmark and for all of them, in which models stand below each other. */
  function forestChart(canvas, some) {
    const lines = some.flatMap(({benchmarks, over}) => [...benchmarks, over]).filter(({loss}) => has(loss));
    const names = [...unique(some.flatMap(({benchmarks}) => benchmarks.map(({dataset}) => dataset))), 'all benchmarks'];
    const place = ({model, dataset}) =>
      names.indexOf(dataset) + 0.7 * ((some.findIndex(own => own.model === model) + 0.5) / some.length - 0.5);
    canvas.parentElement.style.height = `${Math.max(14, 5 + names.length * (1 + 0.7 * some.length))}rem`;
    return plot(canvas, {
      type: 'scatter',
      data: {datasets: lines.flatMap(own => {
        const [value, low, high] = ofEstimate(own.loss).map(number => 100 * number);
        const y = place(own);
        return [
          {...line(own.model), own, data: [{x: value, y}], order: 0},
          {...line(own.model), data: [{x: low, y}, {x: high, y}], type: 'line', pointRadius: 0, pointHoverRadius: 0,
            borderWidth: 1.5, borderDash: [], order: 1},
        ];
      })},
      options: {
        scales: {
          x: axis('loss at the back, per cent', {grid: {color: ({tick}) => colour(tick?.value === 0 ? '--control' : '--line')}}),
          y: axis('', {min: -0.5, max: names.length - 0.5, reverse: true, afterBuildTicks: scale => {
            scale.ticks = names.map((_, i) => ({value: i}));
          }, ticks: {color: colour('--quiet'), callback: value => names[value]}}),
        },
        plugins: {tooltip: {
          filter: item => item.dataset.own !== undefined,
          callbacks: {label: ({dataset: {own}}) =>
            `${own.model} on ${own.dataset}  ${percent(own.loss.value)} [${range(ofEstimate(own.loss), percent)}]`},
        }},
      },
    });
  }

  // ---- Strategies ----

  const signed = shown => value => (value > 0 ? '+' : '') + shown(value);

  /** A change with its interval below it, and the p-value where there is one. */
  function changeCell(change, shown, p) {
    if (!has(change)) return el('td', {}, NONE);
    return el('td', {}, signed(shown)(change[0]), el('span', {class: 'interval'}, range(change, signed(shown))),
      has(p) ? el('span', {class: 'interval'}, 'p ' + pValue(p)) : null);
  }

  function strategyRow(row) {
    const name = row.strategy === '' ? row.model : '+ ' + row.strategy;
    return el('tr', {}, el('th', {scope: 'row'}, name), isOneDataset() ? null : el('td', {class: 'text'}, row.dataset),
      el('td', {class: 'text'}, row.outcome), el('td', {}, points(row.mean)), changeCell(row.mean_change, points, row.mean_p),
      el('td', {}, fraction(row.psi)), changeCell(row.psi_change, fraction, row.psi_p), changeCell(row.worst_change, points),
      changeCell(row.harmonic_change, points), el('td', {}, row.vectors.toFixed(2)));
  }

  /** They are compared on one measure over all queries, whatever else is shown. */
  function renderStrategies() {
    const own = data.strategies.filter(row => isShown(row.dataset));
    at('strategies').hidden = own.length === 0;
    fill('strategies-hint', `${data.measure} in points, over passages of all lengths; changes are against the model alone.`);
    const heads = ['Model and strategy', isOneDataset() ? null : 'Dataset', 'Outcome', 'Mean', 'Change', 'PSI', 'Change',
      'Worst bucket', 'Harmonic mean', 'Vectors per passage'].filter(has);
    fill('strategy-table', el('thead', {}, el('tr', {}, heads.map((head, i) =>
      el('th', {scope: 'col', class: i === 0 || head === 'Dataset' || head === 'Outcome' ? 'text' : null}, head)))),
      el('tbody', {}, own.map(strategyRow)));
  }

  // ---- Single queries ----

  const shownModels = dataset => inScope().filter(result =>
    result.dataset === dataset && !result.published && state.models.has(result.label)).map(result => result.model);

  const scoreOf = (query, model) => query.scores[model]?.[state.measure];

  function spread(query, some) {
    const scores = some.map(model => scoreOf(query, model)).filter(isNumber);
    return scores.length ? Math.max(...scores) - Math.min(...scores) : 0;
  }

  /** The queries that pass the filters, those on which the shown models differ most first. */
  function sample() {
    const words = state.search.toLowerCase();
    return data.drilldowns.filter(drilldown => isShown(drilldown.dataset)).flatMap(drilldown => {
      const some = shownModels(drilldown.dataset);
      return drilldown.sample
        .filter(query => state.stratum === ALL || query.stratum === state.stratum)
        .filter(query => [query.id, query.text?.text, ...(query.gold || []).map(gold => gold.title.text)]
          .some(text => text && text.toLowerCase().includes(words)))
        .map(query => ({query, drilldown, spread: spread(query, some)}));
    }).sort((a, b) => b.spread - a.spread);
  }

  function renderQueries() {
    const drilldowns = data.drilldowns.filter(drilldown => isShown(drilldown.dataset));
    fill('queries-hint', queriesHint(drilldowns));
    [at('drilldown'), at('search-box')].forEach(part => { part.hidden = drilldowns.length === 0; });
    const list = sample();
    if (!list.some(entry => entry.query === state.query)) state.query = list[0]?.query || null;
    at('found').textContent = plural(list.length, 'query');
    const some = unique(drilldowns.flatMap(drilldown => shownModels(drilldown.dataset)));
    const head = ['Query', 'Position', ...some];
    fill('queries',
      el('thead', {}, el('tr', {}, head.map((name, i) => el('th', {scope: 'col', class: i < 2 ? 'text' : null}, name)))),
      el('tbody', {}, list.length ? list.map(entry => queryRow(entry, some)) : empty(head.length)));
    renderQuery(list.find(entry => entry.query === state.query));
  }

  function queriesHint(drilldowns) {
    if (!drilldowns.length) return 'No result here came with its queries.csv.';
    const counts = drilldowns.map(drilldown => `${drilldown.sample.length} of ${plural(drilldown.queries, 'query')} of ${drilldown.dataset}`);
    const missing = drilldowns.filter(drilldown => drilldown.missing)
      .map(drilldown => ` Texts and ranks of ${drilldown.dataset} are not in this page: ${drilldown.missing}.`);
    return `${counts.join(', ')}: from each bucket in turn those on which the models differ most, which also come first `
      + `in the list. Scores are ${state.measure} in points.${missing.join('')}`;
  }

  function queryRow({query}, some) {
    return el('tr', {'aria-current': query === state.query ? 'true' : null},
      el('th', {scope: 'row', class: 'question'}, el('button', {type: 'button', onclick: () => choose(query)},
        query.text ? query.text.text : query.id)),
      el('td', {class: 'text'}, query.buckets.join(', ') || NONE),
      some.map(model => {
        const score = scoreOf(query, model);
        const cell = el('td', {class: isNumber(score) ? 'score' : null}, points(score));
        if (isNumber(score)) cell.style.setProperty('--score', String(100 * score));
        return cell;
      }));
  }

  function choose(query) {
    state.query = query;
    const index = sample().findIndex(entry => entry.query === query);
    const list = at('queries').parentElement;
    const [top, left] = [list.scrollTop, list.scrollLeft];
    renderQueries();
    [list.scrollTop, list.scrollLeft] = [top, left];
    at('queries').querySelectorAll('tbody button')[index].focus({preventScroll: true});
    at('query').scrollIntoView({block: 'nearest'});
  }

  function renderQuery(entry) {
    if (!entry) {
      fill('query', el('p', {class: 'hint'}, 'No query is chosen.'));
      return;
    }
    const {query, drilldown} = entry;
    const facts = [['Id', query.id], ['Dataset', drilldown.dataset], ['Position', query.buckets.join(', ') || 'in no bucket']];
    if (query.stratum) facts.push(['Length', query.stratum]);
    if (query.place) facts.push(['Evidence', placeText(query.place)]);
    fill('query',
      el('h3', {}, query.text ? excerpt(query.text) : query.id),
      el('dl', {}, facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
      (query.gold || []).map(passage),
      query.more > 0 ? el('p', {class: 'hint'}, `${plural(query.more, 'more relevant passage')} not shown.`) : [],
      query.gold ? [] : el('p', {class: 'hint'}, `The texts are not in this page: ${drilldown.missing}.`),
      ranks(query, drilldown));
  }

  function placeText([start, end, length]) {
    const middle = Math.min(100, Math.round(100 * (start + end) / 2 / length));
    return `characters ${start.toLocaleString('en')} to ${end.toLocaleString('en')} of ${length.toLocaleString('en')}, `
      + `middle at ${middle}%`;
  }

  function passage(gold) {
    return el('section', {class: 'passage'},
      el('h4', {}, gold.title.text ? excerpt(gold.title) : 'Relevant passage', ' ', el('span', {class: 'tag'}, gold.id)),
      el('p', {dir: 'auto'}, excerpt(gold.text)),
      gold.text.mark ? null : el('p', {class: 'cut'}, 'The position of the evidence in this text is unknown.'));
  }

  /** Text with its evidence marked, and what was left out said. */
  function excerpt({text, mark, before, after}) {
    const cut = n => el('span', {class: 'cut'}, `… ${plural(n, 'character')} left out …`);
    const [start, end] = mark || [0, 0];
    return [
      before ? [cut(before), ' '] : [],
      text.slice(0, start),
      mark ? el('mark', {}, text.slice(start, end)) : [],
      text.slice(end),
      after ? [' ', cut(after)] : [],
    ].flat();
  }

  function ranks(query, drilldown) {
    const own = inScope().filter(result => result.dataset === drilldown.dataset && !result.published
      && state.models.has(result.label));
    return el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Rank for each model'}, el('table', {},
      el('thead', {}, el('tr', {}, el('th', {scope: 'col', class: 'text'}, 'Model'), el('th', {scope: 'col'}, state.measure),
        el('th', {scope: 'col'}, 'Rank of the first relevant passage'))),
      el('tbody', {}, own.map(result => el('tr', {},
        el('th', {scope: 'row'}, swatch(result.label), ' ', result.model),
        el('td', {}, points(scoreOf(query, result.model))),
        el('td', {}, rankText(query.ranks[result.model], result)))))));
  }

  function rankText(rank, result) {
    if (rank === undefined) return NONE;
    if (rank > 0) return rank.toLocaleString('en');
    return result.settings.k > 0 ? `not in the top ${result.settings.k.toLocaleString('en')}` : 'not in the run';
  }

  // ---- What does not change ----

  /** One sentence on the verdicts over all queries. */
  function finding() {
    const found = results.map(result => ({result, profile: result.profiles.find(profile =>
      profile.measure === data.measure && profile.stratum === ALL)})).filter(({profile}) => profile?.verdict);
    if (found.length === 0) return 'No result has a verdict on positions.';
    const name = ({result}) => result.label + (datasets.length === 1 ? '' : ` on ${result.dataset}`);
    const words = unique(found.map(row => row.profile.verdict));
    const count = word => found.filter(row => row.profile.verdict === word);
    const one = word => count(word).length <= 3 ? count(word).map(name).join(', ') : `${count(word).length} results`;
    return found.length === 1 ? `${name(found[0])}: ${found[0].profile.verdict}: ${found[0].profile.answer}.`
      : words.map(word => `${word}: ${one(word)}`).join('; ') + '.';
  }

  function renderStatic() {
    at('lead').hidden = !data.lead;
    fill('lead', data.lead ?? '');
    fill('summary', data.lead ? '' : el('b', {}, finding()), ` ${plural(models.length, 'model')} on `
      + `${datasets.length === 1 ? datasets[0] : plural(datasets.length, 'dataset')}; posbias ${data.posbias}.`);
    const confidences = unique(results.map(result => result.settings.confidence).filter(level => level > 0));
    fill('confidence', confidences.length
      ? confidences.map(level => `${+(100 * level).toFixed(6)}%`).join(', ') + ' confidence.' : '');
    fill('clusters', data.clusters);
    fill('draws', data.draws || 'draws');
    fill('meanings', data.meanings.map(meaning => el('li', {}, meaning)));
    const judged = results.flatMap(result => result.profiles.filter(profile =>
      profile.verdict && profile.measure === data.measure && profile.stratum === ALL).map(profile => ({result, profile})));
    fill('verdicts', judged.map(({result, profile}) => el('li', {}, el('b', {}, `${result.label}`
      + (datasets.length === 1 ? '' : ` on ${result.dataset}`)), `: ${profile.verdict}: ${profile.answer}`)));
    const short = digest => digest ? digest.slice(0, 12) : NONE;
    const heads = ['Model', 'Dataset', 'Settings', 'Recipe (SHA-256)', 'Files (SHA-256)', 'Evaluated by'];
    fill('sources',
      el('thead', {}, el('tr', {}, heads.map(name => el('th', {scope: 'col', class: 'text'}, name)))),
      el('tbody', {}, results.map(result => el('tr', {},
        el('th', {scope: 'row'}, modelCell(result)), el('td', {class: 'text'}, result.dataset),
        el('td', {class: 'wide'}, result.published ? NONE : settingsText(result.settings)),
        el('td', {class: 'text'}, short(result.recipe)),
        el('td', {class: 'text'}, Object.entries(result.files).map(([file, digest]) =>
          el('div', {}, `${file} ${short(digest)}`))),
        el('td', {class: 'text'}, result.posbias ? 'posbias ' + result.posbias : NONE)))));
  }

  const settingsText = s => `${s.k > 0 ? `first ${s.k}` : 'run made elsewhere'}; buckets ${s.buckets}; `
    + `${s.draws.toLocaleString('en')} draws, seed ${s.seed}; thin below ${s.thin_below}`;

  // ---- Light and dark, paper ----

  const root = document.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => root.style.colorScheme ? root.style.colorScheme === 'dark' : systemDark.matches;

  /** Canvases hold the colours they were drawn with. */
  function recolour() {
    at('theme').textContent = isDark() ? 'Light' : 'Dark';
    at('theme').setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
    renderModels();
    renderCharts();
    renderStrategies();
    renderQueries();
  }

  function listen() {
    const filter = id => at(id).addEventListener('change', event => {
      state[id] = event.target.value;
      renderModels();
      render();
    });
    ['dataset', 'measure', 'stratum'].forEach(filter);
    ['intervals', 'zero'].forEach(id => at(id).addEventListener('change', renderCharts));
    at('all-columns').addEventListener('change', renderBoard);
    at('all-models').addEventListener('click', () => chooseModels(models));
    at('no-models').addEventListener('click', () => chooseModels([]));
    at('search').addEventListener('input', event => {
      state.search = event.target.value;
      renderQueries();
    });
    at('filters').addEventListener('submit', event => event.preventDefault());
    at('theme').addEventListener('click', () => {
      root.style.colorScheme = isDark() ? 'light' : 'dark';
      recolour();
    });
    systemDark.addEventListener('change', recolour);
    // On a narrow screen the table comes before what chooses its rows.
    const narrow = matchMedia('(max-width: 40rem)');
    const place = () => narrow.matches ? at('leaderboard').after(at('filters'))
      : document.querySelector('main').before(at('filters'));
    narrow.addEventListener('change', place);
    place();
    let before = '';
    addEventListener('beforeprint', () => {
      before = root.style.colorScheme;
      root.style.colorScheme = 'light';
      at('numbers').open = true;
      recolour();
    });
    addEventListener('afterprint', () => {
      root.style.colorScheme = before;
      recolour();
    });
  }

  function chooseModels(chosen) {
    state.models = new Set(chosen);
    renderModels();
    render();
  }

  function render() {
    renderFilters();
    renderBoard();
    renderCharts();
    renderQueries();
  }

  // Bands of many models in one chart hide each other.
  at('intervals').checked = datasets.every(name => results.filter(result => result.dataset === name).length <= 5);
  renderStatic();
  renderFilters();
  renderBoard();
  renderStrategies();
  listen();
  recolour();
})();
