import { h, byId, say, millis, short, clock, count } from './dom.js';
import { Model } from './picture.js';
import { ring, bars, dots, gap, stacks, timeline } from './charts.js';
import { drawMempool, drawPostgres, drawAudit, drawAlerts } from './duties.js';

const SILENT_AFTER = 4000; // a picture comes every second at least
const SHOWN_BLOCKS = 15;

const model = new Model();
const cards = new Map();
let lastEvent = null; // when the source was last heard
let lostSince = performance.now();
let leaderBefore;

// ---- the source ------------------------------------------------------------------------------------------------------

let events = null;

function connect() {
  events = new EventSource('events');
  events.addEventListener('picture', (event) => {
    if (lastEvent === null) drawnCharts = -Infinity; // the first picture shows everything at once
    lastEvent = performance.now();
    lostSince = null;
    model.take(JSON.parse(event.data), performance.now());
    wanted = true;
  });
  events.addEventListener('error', () => {
    if (lostSince === null) lostSince = lastEvent ?? performance.now();
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000); // else the browser tries again by itself
  });
}

// ---- drawing: once per frame at most, and only what there is time for ------------------------------------------------

let wanted = true;
let drawnCharts = 0;
let turned = 0;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

function draw(now) {
  if (now - turned >= (calm.matches ? 1000 : 60)) {
    turned = now;
    drawLink(now);
    for (const card of model.cards()) cards.get(card.name)?.ring.turn(model.lease(card, performance.now()));
  }
  if (wanted) {
    wanted = false;
    drawHeader();
    drawCards();
    drawLedger();
    drawAuthority();
    drawTokens();
    drawMempool(model);
    drawPostgres(model);
    drawAudit(model);
    drawAlerts(model);
    settle();
  }
  if (now - drawnCharts >= 1000) {
    drawnCharts = now;
    drawCharts();
    drawTerms();
  }
  requestAnimationFrame(draw);
}

function drawLink(now) {
  const link = byId('link');
  if (lostSince === null && lastEvent !== null && now - lastEvent > SILENT_AFTER) lostSince = lastEvent;
  const lost = lostSince !== null;
  if (lastEvent !== null && lost !== document.body.classList.contains('lost')) say(byId('announce'), lost ? 'The source is lost' : 'The source is back');
  document.body.classList.toggle('lost', lost);
  link.classList.toggle('bad', lost);
  if (!lost) say(link, 'live');
  else say(link, lastEvent === null ? 'connecting' : `source lost for ${Math.floor((now - lostSince) / 1000)} s, trying again`);
}

function drawHeader() {
  const first = Object.values(model.state.nodes).find((node) => node.status)?.status;
  const cluster = model.state.cluster ?? first?.cluster ?? '';
  say(byId('cluster'), model.state.source === 'up' ? `cluster ${cluster}` : `cluster ${cluster}, as ${model.state.source} sees it`);
  say(byId('authority-kind'), model.state.authority ?? first?.authority ?? '');
  const leader = model.leader();
  const epoch = leader?.seat?.epoch;
  say(byId('summary'), leader ? `${leader.name} leads ${model.seat}${epoch ? `, epoch ${epoch}` : ''}` : `Nobody leads ${model.seat ?? 'yet'}`);
  const key = `${leader?.name} ${epoch}`;
  if (key !== leaderBefore) {
    leaderBefore = key;
    say(byId('announce'), leader ? `${leader.name} leads now` : 'Nobody leads now');
  }
  const seats = model.seats();
  byId('seat-choice').hidden = seats.length < 2;
  const select = byId('seat');
  if ([...select.options].map((option) => option.value).join() !== seats.join()) {
    select.replaceChildren(...seats.map((seat) => h('option', { value: seat, selected: seat === model.seat }, seat)));
  }
  const lag = model.lagMillis;
  say(byId('lag'), lag === null ? '' : `The newest block was made ${millis(Math.max(0, lag))} before it was shown here.`);
  document.documentElement.dataset.lagMillis = lag ?? '';
}

const STANDINGS = {
  LEADER: 'leads', QUIESCING: 'hands over', FOLLOWER: 'follows', PROMOTING: 'takes over', FENCED: 'fenced', PAUSED: 'paused', DOWN: 'down', STARTING: 'starting',
};

const ACTIONS = [
  ['handoff', 'Hand over to it', (name) => `The holder stays still, and ${name} takes the seat at exactly that height. Nothing is lost, clients wait for a moment.`],
  ['pause', 'Pause', (name) => `${name} leads no more until it is resumed. If it leads now, it resigns.`],
  ['resume', 'Resume', (name) => `${name} may lead again.`],
  ['restart', 'Restart', (name) => `The process of ${name} ends in peace, resigning first if it leads, and is started again after a second.`],
  ['crash', 'Crash', (name) => `The process of ${name} is killed as a power cut would, and is started again after a second.`],
];

function makeCard(name) {
  const title = h('h3', { id: `card-${name}` }, name);
  const standing = h('span', { class: 'chip standing' });
  const turning = ring();
  const facts = {};
  const list = h('dl', {});
  for (const [key, label] of [['epoch', 'Epoch'], ['height', 'Height'], ['lag', 'Behind'], ['pulse', 'Last pulse'], ['pool', 'Waiting']]) {
    facts[key] = h('dd', { 'data-fact': key });
    list.append(h('div', {}, h('dt', {}, label), facts[key]));
  }
  const why = h('p', { class: 'why' });
  const buttons = {};
  const bar = h('p', { class: 'buttons', hidden: true });
  for (const [action, label, what] of ACTIONS) {
    buttons[action] = h('button', { type: 'button', 'data-action': action, 'aria-label': `${label}: ${name}`, onclick: () => ask(action, label, name, what(name)) }, label);
    bar.append(buttons[action]);
  }
  const node = h('article', { class: 'card', 'aria-labelledby': `card-${name}`, 'data-node': name },
    h('div', { class: 'top' }, turning.node, h('div', {}, title, standing)), list, why, bar);
  return { node, standing, ring: turning, facts, why, buttons, bar };
}

function drawCards() {
  const shown = model.cards();
  for (const card of shown) {
    if (!cards.has(card.name)) {
      const made = makeCard(card.name);
      cards.set(card.name, made);
      const after = shown.slice(shown.indexOf(card) + 1).map((one) => cards.get(one.name)).find(Boolean);
      byId('nodes').insertBefore(made.node, after?.node ?? null);
    }
    drawCard(card, cards.get(card.name));
  }
  for (const [name, card] of cards) {
    if (!shown.some((one) => one.name === name)) {
      card.node.remove();
      cards.delete(name);
    }
  }
}

function drawCard(card, view) {
  const { seat, peer, standing } = card;
  if (view.node.dataset.standing !== standing) view.node.dataset.standing = standing;
  say(view.standing, STANDINGS[standing] ?? standing.toLowerCase());
  const lease = model.lease(card, performance.now());
  view.ring.name(lease ? 'lease, counting down' : 'no lease');
  say(view.facts.epoch, seat?.epoch ?? '–');
  say(view.facts.height, count(seat?.height ?? peer?.height));
  say(view.facts.lag, card.lag === null ? '–' : card.lag === 0 ? 'level' : `by ${count(card.lag)}`);
  say(view.facts.pulse, seat ? millis(seat.headAgeMillis + card.age) : peer ? `heard ${millis(peer.seenMillisAgo)} ago` : '–');
  say(view.facts.pool, seat ? count(seat.pool) : '–');
  say(view.why, seat?.explain ?? (card.brief ? (peer.present ? `Known from its announcements only${peer.notReady ? `; it could not lead: ${peer.notReady}` : ''}.` : 'It has not been heard for a while.')
    : card.node.state === 'down' ? `Not reached since ${clock(card.node.sinceMillis)}: ${card.node.why}.` : 'It is starting.'));
  const fits = { handoff: standing === 'FOLLOWER', pause: standing !== 'PAUSED', resume: standing === 'PAUSED', restart: true, crash: true };
  for (const [action, button] of Object.entries(view.buttons)) {
    button.hidden = !fits[action] || !model.may(action, card);
    button.disabled = !card.up;
  }
  view.buttons.handoff.disabled = !(seat ? seat.ready : peer?.present); // it would be refused
  view.bar.hidden = Object.values(view.buttons).every((button) => button.hidden);
}

function drawCharts() {
  const { commits, transactions } = model.perSecond();
  const lately = (values) => values.slice(-11, -1).reduce((sum, value) => sum + value, 0) / 10;
  chart('throughput', bars('blocks per second as bars, transactions per second as a line', commits, transactions),
    `${lately(commits).toFixed(1)} ${model.blocks.size > 0 ? 'blocks' : 'commits'}/s, ${lately(transactions).toFixed(1)} tx/s`);
  const leader = model.leader();
  const commit = leader ? model.facts(leader.name).commit : null;
  chart('latency', dots('how long each commit took', model.latencies, 120),
    commit && commit.commits > 0 ? `median ${millis(commit.medianMicros / 1000)}, p99 ${millis(commit.p99Micros / 1000)}` : 'the leader tells');
  const terms = model.terms();
  const gaps = terms.filter((term) => term.gapMillis !== null && term.gapMillis !== undefined);
  chart('failover', stacks('gap at each change of holder', terms, model.phases), gaps.length ? `last ${millis(gaps[gaps.length - 1].gapMillis)}` : 'none yet');
}

function chart(id, drawn, words) {
  const figure = byId(id);
  figure.querySelector('svg')?.remove();
  figure.append(drawn);
  say(figure.querySelector('output'), words);
}

let drawnTerms = '';

const ENDINGS = { RESIGNED: 'resigned', HANDED_OFF: 'handed off', LAPSED: 'lapsed', REPLACED: 'replaced: its process was gone', NONE: 'holds it now' };

function drawTerms() {
  const terms = model.terms();
  if (terms.length === 0) return;
  byId('timeline').replaceChildren(timeline(terms, model.cards().map((card) => card.name)));
  const now = JSON.stringify(terms) + model.phases.size;
  if (now === drawnTerms) return;
  drawnTerms = now;
  const most = Math.max(...terms.map((term) => term.gapMillis ?? 0));
  const names = model.cards().map((card) => card.name);
  byId('terms').tBodies[0].replaceChildren(...[...terms].reverse().map((term) => h('tr', { 'data-epoch': term.epoch },
    h('td', {}, count(term.epoch)), h('td', {}, h('i', { class: `swatch who-${names.indexOf(term.node) % 6}` }), term.node), h('td', {}, clock(term.openedAtMillis)),
    h('td', {}, `${count(term.firstHeight)} to ${count(term.lastHeight)}`), h('td', {}, ...gap(term, model.phases.get(term.epoch), most)),
    h('td', {}, term.ended ? ENDINGS[term.ended] ?? term.ended.toLowerCase() : 'holds it now'))));
}

// ---- ledger ----------------------------------------------------------------------------------------------------------

const rows = new Map();

function drawLedger() {
  const body = byId('ledger').tBodies[0];
  const newest = model.newest(SHOWN_BLOCKS);
  byId('ledger-section').hidden = newest.length === 0;
  for (const block of [...newest].reverse()) {
    const row = rows.get(block.height);
    if (row?.hash === block.hash && row?.signed === block.signed) continue;
    row?.node.remove();
    const node = blockRow(block);
    rows.set(block.height, { node, hash: block.hash, signed: block.signed });
    const below = [...rows.keys()].filter((height) => height < block.height).sort((one, other) => other - one)[0];
    body.insertBefore(node, below === undefined ? null : rows.get(below).node);
  }
  const kept = new Set(newest.map((block) => block.height));
  for (const [height, row] of rows) {
    if (!kept.has(height)) {
      row.node.remove();
      rows.delete(height);
    }
  }
}

/** Other duties than the sequencer have entries that say less; their payload is not kept for pages. */
const isBlock = (entry) => entry.transactions !== undefined;

function blockRow(block) {
  const open = h('button', { type: 'button', class: 'link', 'aria-label': `block ${block.height}`, onclick: () => show(block.height) }, count(block.height));
  return h('tr', { 'data-height': block.height }, h('td', {}, open), h('td', { title: block.hash }, h('code', {}, short(block.hash))),
    h('td', { title: block.parent }, h('code', {}, short(block.parent))), h('td', {}, `${block.epoch}${block.opens ? `, opens ${block.opens}’s term` : ''}`),
    h('td', {}, block.signer ?? (isBlock(block) ? 'unsigned' : '–')), h('td', {}, count(block.transactions)), h('td', {}, count(block.bytes)), h('td', {}, clock(block.timeMillis)));
}

async function show(height) {
  const title = byId('detail-title');
  const body = byId('detail-body');
  say(title, `Block ${count(height)}`);
  body.replaceChildren(h('p', {}, 'asking …'));
  if (!byId('detail').open) byId('detail').showModal();
  if (keepsNoBlocks()) {
    const entry = model.blocks.get(height);
    body.replaceChildren(...(entry ? facts(entry, []) : [h('p', { class: 'trouble' }, 'this page has not seen it: only entries that came while it was open are here')]));
    return;
  }
  try {
    const answer = await fetch(`/blocks/${height}`);
    const block = await answer.json();
    if (!answer.ok) throw new Error(block.error);
    body.replaceChildren(...facts(block, [['Origin', block.origin], ['Signer', block.signer ?? 'unsigned']]),
      h('h3', {}, `${count(block.body.length)} transactions`), ...block.body.slice(0, 200).map(transaction));
  } catch (trouble) {
    body.replaceChildren(h('p', { class: 'trouble' }, trouble.message));
  }
}

const keepsNoBlocks = () => model.blocks.size > 0 && !isBlock(model.newest(1)[0]);

function facts(entry, more) {
  const list = h('dl', {});
  for (const [label, value] of [['Hash', entry.hash], ['Parent', entry.parent], ['Author epoch', entry.epoch], ...more,
    ['Opens the term of', entry.opens ?? '–'], ['Time', new Date(entry.timeMillis).toISOString()], ['Bytes', count(entry.bytes)]]) {
    list.append(h('div', {}, h('dt', {}, label), h('dd', {}, h('code', {}, String(value)))));
  }
  const parent = h('button', { type: 'button', onclick: () => show(entry.height - 1) }, `Its parent, block ${count(entry.height - 1)}`);
  return entry.height > 1 ? [list, h('p', { class: 'buttons' }, parent)] : [list];
}

function transaction(one) {
  return h('div', { class: 'transaction' }, h('p', {}, h('code', {}, one.hash), ` ${count(one.bytes)} bytes`), h('pre', {}, one.text ?? (one.hex.length > 2000 ? `${one.hex.slice(0, 2000)} …` : one.hex)));
}

byId('search').addEventListener('submit', async (event) => {
  event.preventDefault();
  const what = new FormData(event.target).get('what').trim().toLowerCase().replaceAll(',', '');
  const found = byId('found');
  say(found, '');
  if (/^\d{1,15}$/.test(what) && Number(what) >= 1) return show(Number(what));
  if (!/^[0-9a-f]{4,64}$/.test(what)) return say(found, 'a height, or at least four digits of a hash');
  const block = model.newest(Infinity).find((one) => one.hash.startsWith(what));
  if (block) return show(block.height);
  return keepsNoBlocks() ? say(found, 'no entry that this page has seen has such a hash') : search(what, found);
});

let searches = 0;

/** Through the whole ledger, newest first; the node looks for a short time per question, so a new search ends this one. */
async function search(what, found) {
  const own = ++searches;
  let below = '';
  try {
    for (let more = true; more && own === searches;) {
      const answer = await fetch(`/blocks/find?hash=${what}${below}`);
      const said = await answer.json();
      if (!answer.ok) return say(found, said.error);
      if (said.height) {
        say(found, '');
        return show(said.height);
      }
      more = said.more;
      below = `&below=${said.searchedDownTo}`;
      say(found, more ? `searching, down to block ${count(said.searchedDownTo)} …` : 'no block or transaction that is kept has such a hash');
    }
  } catch {
    say(found, 'the source does not answer');
  }
  return undefined;
}

// ---- authority and tokens --------------------------------------------------------------------------------------------

/** A server may be blank, lag, or not answer at all: three different things, which call for different deeds. */
const TIPS = { blank: 'blank', lagging: 'lagging', silent: 'when last heard' };

function serverTip({ height, health }) {
  const words = TIPS[health];
  if (height === null) return health === 'silent' ? '–' : words ?? '–';
  return words ? `${count(height)}, ${words}` : count(height);
}

function serverState({ health, note, trouble }) {
  if (health === 'silent') return `does not answer: ${trouble}`;
  return [trouble || (health === 'lagging' ? 'lags behind' : 'well'), note].filter(Boolean).join(', ');
}

let drawnAuthority = '';

function drawAuthority() {
  const engine = model.engine();
  const top = Math.max(0, ...model.cards().map((card) => card.seat?.height ?? card.peer?.height ?? 0));
  const tip = (height) => (height === null || height === undefined ? '–' : height < top - 1 ? `${count(height)}, lagging` : count(height));
  const head = engine ? ['Server', 'Member', 'Promised epoch', 'Seat', 'Tip', 'State'] : ['Node', 'Epoch it follows', 'Seat', 'Tip', 'State'];
  const lines = engine
    ? engine.map((one) => [one.address, one.member ?? 'no vote', one.promised ?? '–', one.seat ?? (one.promised === null ? '–' : 'free'), serverTip(one), serverState(one)])
    : model.cards().map((card) => [card.name, card.seat?.epoch ?? '–', card.seat?.holder?.node ?? '–', tip(card.seat?.height ?? card.peer?.height), card.up ? 'present' : 'away']);
  const now = JSON.stringify([head, lines]);
  if (now === drawnAuthority) return;
  drawnAuthority = now;
  const table = byId('authority');
  table.tHead.replaceChildren(h('tr', {}, ...head.map((label) => h('th', { scope: 'col' }, label))));
  table.tBodies[0].replaceChildren(...lines.map((line) => h('tr', {}, ...line.map((cell) => h('td', {}, String(cell))))));
}

function drawTokens() {
  const spaces = model.namespaces();
  byId('tokens-section').hidden = spaces.length === 0;
  const all = model.told('namespaceCount') ?? spaces.length;
  say(byId('tokens-words'), all > spaces.length ? `the first ${count(spaces.length)} of ${count(all)} namespaces, by name` : '');
  byId('tokens').tBodies[0].replaceChildren(...spaces.map((space) => {
    const rate = model.tokens.get(space.name)?.[2];
    return h('tr', {}, h('td', {}, space.name), h('td', {}, space.guarantee.toLowerCase()), h('td', {}, space.next), h('td', {}, space.reserved),
      h('td', {}, rate === null || rate === undefined ? '–' : rate.toFixed(1)), h('td', {}, space.frozen ? 'frozen' : 'open'));
  }));
}

// ---- actions: a reason first, and a certificate or the token that only whoever runs up has -------------------------

const TOKEN = 'baton-token';
let asked = null;

function ask(action, label, node, what) {
  asked = { action, node, sent: false };
  say(byId('act-title'), `${label}: ${node}`);
  say(byId('act-what'), what);
  say(byId('act-do'), label);
  say(byId('act-trouble'), '');
  byId('act-do').classList.toggle('danger', action === 'crash');
  byId('act-token').hidden = model.state.source !== 'up' || sessionStorage.getItem(TOKEN) !== null;
  byId('act-form').reset();
  byId('act-do').disabled = false;
  byId('act').showModal();
}

byId('act-cancel').addEventListener('click', () => byId('act').close());

const DONE = {
  handoff: (card) => card.standing === 'LEADER',
  pause: (card) => card.standing === 'PAUSED',
  resume: (card) => card.standing !== 'PAUSED',
};

/**
 * What was asked is done when it can be seen, not when the answer comes: the holder answers a handoff only after it has
 * asked its successor and, if that did not answer, has waited for the ticket to end, while the successor may lead already.
 */
function settle() {
  if (!asked?.sent || !DONE[asked.action]) return;
  const card = model.cards().find((one) => one.name === asked.node);
  if (card && DONE[asked.action](card)) done();
}

function done() {
  say(byId('announce'), `${asked.action} of ${asked.node} is done`);
  asked = null;
  byId('act-do').disabled = false;
  byId('act').close();
}

byId('act-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const token = sessionStorage.getItem(TOKEN) ?? form.get('token').trim();
  const mine = asked;
  const { action, node } = mine;
  mine.sent = true;
  byId('act-do').disabled = true;
  try {
    const answer = await fetch('actions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Baton-Token': token },
      body: JSON.stringify({ action, node, seat: model.seat, reason: form.get('reason') }),
    });
    const said = await answer.json();
    if (answer.status === 401) {
      sessionStorage.removeItem(TOKEN);
      byId('act-token').hidden = false;
    } else if (token) {
      sessionStorage.setItem(TOKEN, token);
    }
    if (!answer.ok) throw new Error(said.error);
    if (asked === mine) done();
  } catch (trouble) {
    if (asked !== mine) return; // seen to be done before, or the dialog asks for something else by now
    mine.sent = false;
    say(byId('act-trouble'), trouble.message);
    byId('act-do').disabled = false;
  }
});

byId('seat').addEventListener('change', (event) => {
  model.seat = event.target.value;
  wanted = true;
});

connect();
requestAnimationFrame(draw);
