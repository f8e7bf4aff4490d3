// What the page knows: the last picture, the blocks it saw, and what follows from both. Nothing here touches the document.

const KEPT_BLOCKS = 500;
const KEPT_SECONDS = 120;
const LEADING = ['LEADER', 'QUIESCING'];

export class Model {
  state = { nodes: {} };
  arrived = 0; // when the picture came, on the page's monotonic clock
  seat = null;
  blocks = new Map(); // by height
  phases = new Map(); // by epoch: kept, because a node that died has forgotten its milestones
  leases = new Map(); // by node and epoch: the longest lease seen, the whole of the ring
  latencies = []; // [at, micros] of the leader's commits
  heights = []; // [at, height], for duties that keep no blocks
  tokens = new Map(); // by namespace: [at, next, rate]
  rates = new Map(); // by name: a count that grows, and how fast
  lagMillis = null;
  commits = new Map();

  take({ state, blocks }, now) {
    this.state = state;
    this.arrived = now;
    const seats = this.seats();
    if (!seats.includes(this.seat)) this.seat = seats[0] ?? null;
    this.takeBlocks(blocks);
    this.takePhases();
    this.takeFigures();
  }

  takeBlocks(blocks) {
    const last = blocks[blocks.length - 1];
    const differs = (block) => this.blocks.has(block.height) && this.blocks.get(block.height).hash !== block.hash;
    const endsBelow = last && last.height < Math.max(0, ...this.blocks.keys()) && !this.blocks.has(last.height);
    if (endsBelow || blocks.some(differs)) this.forgetLedger(); // another one began behind the same address
    for (const block of blocks) this.blocks.set(block.height, block);
    if (last) this.lagMillis = Date.now() - last.timeMillis;
    while (this.blocks.size > KEPT_BLOCKS) this.blocks.delete(Math.min(...this.blocks.keys()));
  }

  forgetLedger() {
    this.blocks.clear();
    this.phases.clear();
    this.heights = [];
  }

  newest(limit) {
    return [...this.blocks.values()].sort((one, other) => other.height - one.height).slice(0, limit);
  }

  /** As the nodes have them: the first is the one that the cluster is there for. */
  seats() {
    const names = new Set();
    for (const node of Object.values(this.state.nodes)) for (const seat of node.status?.seats ?? []) names.add(seat.seat);
    return [...names];
  }

  /** A card per node: those that told of themselves, and those that they have heard of. */
  cards() {
    const cards = new Map();
    for (const [name, node] of Object.entries(this.state.nodes)) {
      const seat = node.status?.seats?.find((one) => one.seat === this.seat);
      const age = node.atMillis && this.state.nowMillis ? Math.max(0, this.state.nowMillis - node.atMillis) : 0;
      cards.set(name, { name, node, seat, up: node.state === 'up', standing: node.state === 'up' ? seat?.standing ?? 'STARTING' : 'DOWN', age });
      for (const announced of node.status?.peers ?? []) {
        if (this.state.nodes[announced.node] || cards.has(announced.node)) continue;
        const peer = this.atSeat(announced);
        cards.set(peer.node, { name: peer.node, brief: true, peer, up: peer.present, standing: peer.present ? peer.standing ?? 'STARTING' : 'DOWN' });
      }
    }
    const top = this.top(cards);
    for (const card of cards.values()) {
      const height = card.seat?.applied ?? card.peer?.applied;
      card.lag = height === undefined || height === null ? null : Math.max(0, top - height);
    }
    return [...cards.values()].sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  }

  /** A peer as it stands at the seat that is shown; it may have others. */
  atSeat(peer) {
    return { ...peer, standing: null, height: null, ready: false, ...peer.seats.find((one) => one.seat === this.seat) };
  }

  top(cards) {
    let top = 0;
    for (const card of cards.values()) top = Math.max(top, card.seat?.height ?? card.peer?.height ?? 0);
    return top;
  }

  leader() {
    const leading = this.cards().filter((card) => LEADING.includes(card.standing));
    leading.sort((one, other) => (other.seat?.epoch ?? 0) - (one.seat?.epoch ?? 0));
    return leading[0] ?? null;
  }

  facts(name) {
    return this.state.nodes[name]?.seats?.[this.seat] ?? {};
  }

  /** What is left of a lease, counted down on this page's own clock since the picture came. */
  lease(card, now) {
    const left = card.seat?.deadlineLeftMillis;
    if (left === null || left === undefined) return null;
    const key = `${card.name} ${card.seat.epoch}`;
    this.leases.set(key, Math.max(left, this.leases.get(key) ?? 0));
    const passed = now - this.arrived + card.age;
    const whole = this.leases.get(key);
    const remaining = Math.max(0, left - passed);
    return { remaining, part: whole > 0 ? remaining / whole : 0 };
  }

  terms() {
    let best = [];
    for (const name of Object.keys(this.state.nodes)) {
      const terms = this.facts(name).terms ?? [];
      const last = terms[terms.length - 1]?.lastHeight ?? 0;
      if (last > (best[best.length - 1]?.lastHeight ?? 0)) best = terms;
    }
    return best;
  }

  /** Splits the gap before each term: until somebody asked, was elected, had recovered, and committed the first block. */
  takePhases() {
    const terms = this.terms();
    for (let i = 1; i < terms.length; i++) {
      const { epoch, node, gapMillis } = terms[i];
      if (this.phases.has(epoch)) continue;
      const passed = this.facts(node).milestones ?? [];
      const at = (milestone) => passed.find((one) => one.milestone === milestone && one.epoch === epoch)?.atMicros;
      const elected = at('ELECTED');
      const recovered = at('RECOVERED');
      const opened = at('OPENED');
      if (!elected || !recovered || !opened) continue;
      const asked = passed.filter((one) => one.milestone === 'ASKED' && one.atMicros <= elected).pop()?.atMicros ?? elected;
      const between = (from, to) => Math.max(0, (to - from) / 1000);
      this.phases.set(epoch, {
        detect: between(terms[i - 1].lastBlockAtMillis * 1000, asked),
        elect: between(asked, elected),
        recover: between(elected, recovered),
        first: between(recovered, opened),
        gapMillis,
      });
    }
  }

  takeFigures() {
    const at = Date.now();
    const leader = this.leader();
    if (leader) {
      const commit = this.facts(leader.name).commit;
      if (commit && commit.commits !== this.commits.get(leader.name)) {
        this.commits.set(leader.name, commit.commits);
        this.latencies.push([at, commit.lastMicros]);
      }
      const height = leader.seat?.height ?? leader.peer?.height;
      if (height !== undefined && height !== null) this.heights.push([at, height]);
    }
    const since = at - KEPT_SECONDS * 1000;
    this.latencies = this.latencies.filter(([when]) => when >= since);
    this.heights = this.heights.filter(([when]) => when >= since);
    for (const space of this.namespaces()) {
      const next = Number(space.next);
      const before = this.tokens.get(space.name);
      if (!before) this.tokens.set(space.name, [at, next, null]);
      else if (at - before[0] >= 1000) this.tokens.set(space.name, [at, next, Math.max(0, ((next - before[1]) * 1000) / (at - before[0]) / Number(space.step || 1))]);
    }
  }

  namespaces() {
    return this.told('namespaces') ?? [];
  }

  engine() {
    return this.toldHere('engine');
  }

  /** A fact about the shown seat, as its leader tells it, or else the first that has it. */
  toldHere(key) {
    for (const name of this.tellers()) {
      const found = this.facts(name)[key];
      if (found) return found;
    }
    return null;
  }

  tellers() {
    const leader = this.leader();
    return leader ? [leader.name, ...Object.keys(this.state.nodes)] : Object.keys(this.state.nodes);
  }

  /** Per second of the last two minutes: blocks, or whatever raised the height, and transactions. */
  perSecond() {
    const now = Math.floor(Date.now() / 1000);
    const commits = new Array(KEPT_SECONDS).fill(0);
    const transactions = new Array(KEPT_SECONDS).fill(0);
    const slot = (atMillis) => KEPT_SECONDS - 1 - (now - Math.floor(atMillis / 1000));
    if (this.blocks.size > 0) {
      for (const block of this.blocks.values()) {
        const at = slot(block.timeMillis);
        if (at >= 0 && at < KEPT_SECONDS) {
          commits[at] += 1;
          transactions[at] += block.transactions ?? 0;
        }
      }
    } else {
      for (let i = 1; i < this.heights.length; i++) {
        const at = slot(this.heights[i][0]);
        if (at >= 0) commits[at] += Math.max(0, this.heights[i][1] - this.heights[i - 1][1]);
      }
    }
    return { commits, transactions };
  }

  /** Whether this page may do that: up's may do all, a node's own hands its seat over, and pauses itself. */
  may(action, card) {
    if (!(this.state.actions ?? []).includes(action)) return false;
    if (this.state.source === 'up') return true;
    return action === 'handoff' ? this.leader()?.name === this.state.source : card.name === this.state.source;
  }

  /** A fact about the shown seat, or else about any that a node tells it of. */
  told(key) {
    const here = this.toldHere(key);
    if (here) return here;
    for (const name of this.tellers()) {
      for (const facts of Object.values(this.state.nodes[name]?.seats ?? {})) if (facts[key]) return facts[key];
    }
    return null;
  }

  /** The same fact of every node: [node, fact]. */
  toldByEach(key) {
    const found = [];
    for (const [name, node] of Object.entries(this.state.nodes)) {
      for (const facts of Object.values(node.seats ?? {})) if (facts[key]) found.push([name, facts[key]]);
    }
    return found;
  }

  /** Changes per second of a count that only grows, over at least a second. */
  rate(name, now, value) {
    const before = this.rates.get(name);
    if (!before || value < before.value) this.rates.set(name, { at: now, value, rate: null });
    else if (now - before.at >= 1000) this.rates.set(name, { at: now, value, rate: ((value - before.value) * 1000) / (now - before.at) });
    return this.rates.get(name).rate;
  }
}
