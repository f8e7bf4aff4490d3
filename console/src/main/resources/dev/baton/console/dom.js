// Everything that is shown goes through here, as text: whatever a payload, a name or a reason contains, it is never markup.

const SVG = 'http://www.w3.org/2000/svg';

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);

/** Sets text only where it differs, so that nothing flickers and no reader hears it twice. */
export function say(node, text) {
  const wanted = text === null || text === undefined ? '' : String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

export function millis(value) {
  if (value === null || value === undefined) return '–';
  if (value < 1) return `${value.toFixed(2)} ms`;
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
  if (value < 3_600_000) return `${Math.floor(value / 60_000)} min ${Math.round((value % 60_000) / 1000)} s`;
  return `${Math.floor(value / 3_600_000)} h ${Math.round((value % 3_600_000) / 60_000)} min`;
}

export const short = (hash) => (hash ? hash.slice(0, 12) : '–');
export const clock = (atMillis) => new Date(atMillis).toLocaleTimeString([], { hour12: false });
export const count = (number) => (number === null || number === undefined ? '–' : Number(number).toLocaleString('en-GB'));
