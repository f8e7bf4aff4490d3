import { svg, h, millis } from './dom.js';

const ROUND = 2 * Math.PI * 26;

/** The lease as a ring that shrinks; turned by whoever holds the handle. */
export function ring() {
  const rest = svg('circle', { class: 'ring-rest', cx: 32, cy: 32, r: 26, 'stroke-dasharray': ROUND, 'stroke-dashoffset': ROUND });
  const words = svg('text', { x: 32, y: 36, 'text-anchor': 'middle' });
  const node = svg('svg', { class: 'ring', viewBox: '0 0 64 64', role: 'img', 'aria-label': 'no lease' },
    svg('circle', { class: 'ring-whole', cx: 32, cy: 32, r: 26 }), rest, words);
  return {
    node,
    turn(lease) {
      rest.setAttribute('stroke-dashoffset', String(lease ? ROUND * (1 - lease.part) : ROUND));
      node.classList.toggle('late', lease !== null && lease.part < 0.25);
      const text = lease ? (lease.remaining / 1000).toFixed(1) + ' s' : '';
      if (words.textContent !== text) words.textContent = text;
    },
    name(text) {
      if (node.getAttribute('aria-label') !== text) node.setAttribute('aria-label', text);
    },
  };
}

const WIDE = 300;
const HIGH = 80;

function frame(label, ...content) {
  return svg('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label }, ...content);
}

/** Two series of one value per second, the first as bars, the second as a line. */
export function bars(label, first, second) {
  const most = Math.max(1, ...first);
  const mostSecond = Math.max(1, ...second);
  const step = WIDE / first.length;
  const content = first.map((value, i) => value === 0 ? null
    : svg('rect', { class: 'bar', x: i * step, y: HIGH - (value / most) * (HIGH - 4), width: Math.max(0.5, step - 0.6), height: (value / most) * (HIGH - 4) }));
  if (second.some((value) => value > 0)) {
    content.push(svg('polyline', { class: 'line', points: second.map((value, i) => `${(i + 0.5) * step},${HIGH - (value / mostSecond) * (HIGH - 4)}`).join(' ') }));
  }
  return frame(label, ...content);
}

/** Points in time. */
export function dots(label, points, seconds) {
  const now = Date.now();
  const most = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
  return frame(label, ...points.map(([at, value]) => svg('circle', {
    class: 'dot', r: 1.6, cx: WIDE * (1 - (now - at) / (seconds * 1000)), cy: HIGH - 3 - (value / most) * (HIGH - 6) })));
}

const PHASES = ['detect', 'elect', 'recover', 'first'];

/** One gap, split into its phases if they are known. */
export function gap(term, phases, most) {
  const bar = h('span', { class: 'gap', 'aria-hidden': 'true' });
  const parts = phases ? PHASES.map((name) => [name, phases[name]]) : [['whole', term.gapMillis ?? 0]];
  for (const [name, value] of parts) {
    const part = h('i', { class: `p-${name}`, title: `${name}: ${millis(value)}` });
    part.style.width = `${Math.min(100, (100 * value) / Math.max(1, most))}%`;
    bar.append(part);
  }
  const words = phases
    ? `${millis(term.gapMillis)}: detect ${millis(phases.detect)}, elect ${millis(phases.elect)}, recover ${millis(phases.recover)}, first block ${millis(phases.first)}`
    : term.gapMillis === null || term.gapMillis === undefined ? 'the first' : millis(term.gapMillis);
  return [bar, h('span', {}, words)];
}

/** Gaps as stacked bars, oldest on the left. */
export function stacks(label, terms, phases) {
  const shown = terms.filter((term) => term.gapMillis !== null && term.gapMillis !== undefined);
  const total = (term) => {
    const known = phases.get(term.epoch);
    return known ? PHASES.reduce((sum, name) => sum + known[name], 0) : term.gapMillis;
  };
  const most = Math.max(1, ...shown.map(total));
  const step = WIDE / Math.max(10, shown.length);
  const content = [];
  shown.forEach((term, i) => {
    const known = phases.get(term.epoch);
    let y = HIGH;
    for (const [name, value] of known ? PHASES.map((one) => [one, known[one]]) : [['whole', term.gapMillis]]) {
      const high = Math.max(0, (value / most) * (HIGH - 4));
      y -= high;
      content.push(svg('rect', { class: `p-${name}`, x: i * step, y, width: step * 0.8, height: high }));
    }
  });
  return frame(label, ...content);
}

/** Terms as stretches of one line; a colour per node. */
export function timeline(terms, nodes) {
  const first = terms[0].openedAtMillis;
  const span = Math.max(1000, Date.now() - first);
  const x = (at) => (1000 * Math.max(0, at - first)) / span;
  return svg('svg', { viewBox: '0 0 1000 34', preserveAspectRatio: 'none', role: 'img', 'aria-label': `${terms.length} terms, newest: ${terms[terms.length - 1].node}` },
    ...terms.map((term, i) => {
      const end = i + 1 < terms.length || term.ended ? term.lastBlockAtMillis : Date.now();
      return svg('rect', { class: `who who-${nodes.indexOf(term.node) % 6}`, x: x(term.openedAtMillis), y: 4, width: Math.max(1.5, x(end) - x(term.openedAtMillis)), height: 26 },
        svg('title', {}, `${term.node}, epoch ${term.epoch}`));
    }));
}
