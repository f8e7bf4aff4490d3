import { h, byId, say, millis, count, clock } from './dom.js';

// Views of what duties and the control plane tell, each hidden until somebody tells it.

const drawn = new Map();

/** Draws a section anew only if what it shows has changed, so that a selection or a reader's place survives. */
function anew(id, shown, draw) {
  const now = JSON.stringify(shown);
  if (drawn.get(id) === now) return;
  drawn.set(id, now);
  draw();
}

const table = (id, rows) => byId(id).tBodies[0].replaceChildren(...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, String(cell ?? '–'))))));

/** The stages as a flow: each a box whose bar is its share of what is alive. */
export function drawMempool(model) {
  const pool = model.told('mempool');
  byId('mempool-section').hidden = !pool;
  if (!pool) return;
  say(byId('mempool-trouble'), pool.trouble ?? '');
  if (pool.trouble) return;
  const changes = model.rate('mempool', performance.now(), pool.lastEvent);
  const acknowledged = Math.max(0, pool.inflight - pool.propagated - pool.confirmed);
  const stages = [['Pending', pool.pending], ['Propagated', pool.propagated], ['Acknowledged', acknowledged], ['Confirmed', pool.confirmed]];
  const most = Math.max(1, ...stages.map(([, value]) => value));
  anew('mempool', stages.concat([['Ended', pool.finalized]]), () => {
    const boxes = stages.map(([name, value]) => {
      const bar = h('i', {});
      bar.style.width = `${(100 * value) / most}%`;
      return h('li', { 'data-stage': name }, h('span', {}, name), h('b', {}, count(value)), h('span', { class: 'share', 'aria-hidden': 'true' }, bar));
    });
    boxes.push(h('li', { 'data-stage': 'Ended' }, h('span', {}, 'Finalized or dropped'), h('b', {}, count(pool.finalized)), h('span', { class: 'quiet' }, 'as far as remembered')));
    byId('mempool-flow').replaceChildren(...boxes);
  });
  const watcher = pool.watcher ? `watched by ${pool.watcher}` : 'nobody has watched yet';
  const waits = pool.oldestPendingAtMillis ? `, the oldest waits for ${millis(Math.max(0, Date.now() - pool.oldestPendingAtMillis))}` : '';
  say(byId('mempool-words'), `${watcher}, block ${pool.cursor.split('.')[0]}${waits}; ${changes === null ? '–' : changes.toFixed(1)} changes/s; ` +
    `${count(pool.claimsReturned)} claims returned, ${count(pool.fencedConfirms)} confirms of replaced watchers refused`);
}

const bytes = (value) => (value < 1024 ? `${value} B` : value < 1048576 ? `${(value / 1024).toFixed(1)} kB` : `${(value / 1048576).toFixed(1)} MB`);

/** A row per server: its role, and how far it is behind the primary. */
export function drawPostgres(model) {
  const servers = model.toldByEach('postgres');
  byId('postgres-section').hidden = servers.length === 0;
  anew('postgres', servers, () => {
    table('postgres', servers.map(([node, one]) => [node, one.role, one.state, one.timeline, one.position,
      one.role === 'primary' ? '–' : bytes(one.lag), one.sync ? 'has every acknowledged commit' : 'may miss the last ones', one.doing || '–']));
    const first = servers[0]?.[1];
    say(byId('postgres-words'), first ? `${first.primary ? `${first.primary} is the primary` : 'no primary serves'}, replication ${first.mode}` : '');
  });
}

/** One book, the same on every node; whoever has most of it tells. */
export function drawAudit(model) {
  const books = Object.values(model.state.nodes).map((node) => node.audit).filter((book) => book);
  byId('audit-section').hidden = books.length === 0;
  const book = books.sort((one, other) => (other[0]?.number ?? 0) - (one[0]?.number ?? 0))[0] ?? [];
  anew('audit', book, () => table('audit', book.map((one) => [count(one.number), clock(Date.parse(one.at)), one.node, `${one.who}${one.role ? ` (${one.role})` : ''}`,
    `${one.call}${one.seat ? ` ${one.seat}` : ''}`, one.reason, one.detail ? `${one.outcome}: ${one.detail}` : one.outcome])));
}

export function drawAlerts(model) {
  const nodes = Object.entries(model.state.nodes).filter(([, node]) => node.alerts);
  byId('alerts-section').hidden = nodes.length === 0;
  const alerts = nodes.flatMap(([name, node]) => node.alerts.map((alert) => [name, alert]));
  anew('alerts', alerts, () => {
    byId('alerts').replaceChildren(...(alerts.length === 0 ? [h('li', { class: 'quiet' }, 'none')]
      : alerts.map(([name, alert]) => h('li', { 'data-severity': alert.severity }, h('b', {}, alert.severity), ` ${name}: ${alert.text}`))));
  });
}
