// Tracks within one file where readings of the clock, of memory and of processor time go. Each value has a set of
// marks: '*' means that it is a reading or was computed from one, '?' that it is the result of comparing a reading, and
// a name that its field of that name holds a reading.
const CLOCK = '*';
const VERDICT = '?';
const NOTHING = new Set();

const READS = new Set([
  ...['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime'],
  ...['process.memoryUsage', 'process.memoryUsage.rss', 'process.cpuUsage', 'process.threadCpuUsage'],
  ...['process.resourceUsage'],
]);
/** Global functions whose result depends only on their arguments. */
const PURE = new Set(['Math', 'Number', 'BigInt', 'Array', 'Object', 'Promise', 'String', 'structuredClone']);
/** Names of imported helpers whose result depends only on their arguments. */
const COMPUTES = /^(?:median|mean|average|sum|round|sorted|quantile|percentile|p\d+)$/i;
const WRAPPERS = new Set([
  ...['AwaitExpression', 'UnaryExpression', 'SpreadElement', 'UpdateExpression'],
  ...['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'ChainExpression'],
]);
const ORDERS = new Set(['<', '<=', '>', '>=']);
const COUNTS = new Set(['length', 'size']);
const isFunction = (node) =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node?.type);

function pathOf(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return null;
  const of = pathOf(node.object);
  return of && `${of}.${node.property.name}`;
}

const isRead = (node) =>
  (node.type === 'CallExpression' && READS.has(pathOf(node.callee))) ||
  (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0);

const unwrapped = (node) => (WRAPPERS.has(node.type) ? unwrapped(node.argument ?? node.expression) : node);

/** The operands of an expression that computes a moment, such as a reading plus an offset. */
function momentParts(node) {
  const at = unwrapped(node);
  if (at.type === 'BinaryExpression' && ['+', '-', '/', '*'].includes(at.operator)) return [at.left, at.right];
  if (at.type === 'NewExpression' && at.callee.name === 'Date') return at.arguments;
  if (at.type !== 'CallExpression') return [];
  if (['getTime', 'valueOf', 'toISOString'].includes(at.callee.property?.name)) return [at.callee.object];
  return at.callee.object?.name === 'Math' || at.callee.name === 'Number' ? at.arguments : [];
}

/** Whether an expression itself contains a reading. */
export const isReading = (node) => isRead(unwrapped(node)) || momentParts(node).some(isReading);

/** Whether an expression uses a variable that holds a reading. */
export const isLocal = (node, flows) =>
  (unwrapped(node).type === 'Identifier' && flows.of(node).isClock) || momentParts(node).some((p) => isLocal(p, flows));

/** Whether an expression is a point in time, computed from one reading, and not a duration between two readings. */
export function isMoment(node, flows, seen = new Set()) {
  const at = unwrapped(node);
  if (isRead(at)) return at.type === 'NewExpression' || pathOf(at.callee) === 'Date.now';
  if (at.type === 'Identifier') {
    const variable = flows.variableOf(at);
    if (!variable || seen.has(variable)) return false;
    const written = flows.writesOf(variable);
    return written.length > 0 && written.every((value) => isMoment(value, flows, new Set([...seen, variable])));
  }
  const clocks = momentParts(at).filter((part) => flows.of(part).isClock);
  return clocks.length === 1 && isMoment(clocks[0], flows, seen);
}

export function flowsOf(sourceCode, measures) {
  const marks = new Map();
  const writes = new Map();
  const returns = new Map();
  const steps = [];
  let references;
  let changed = true;

  const variableOf = (identifier) => {
    if (!references) {
      references = new Map();
      for (const scope of sourceCode.scopeManager.scopes) {
        for (const { identifier: node, resolved } of scope.references) references.set(node, resolved);
        for (const variable of scope.variables)
          for (const node of variable.identifiers) if (!references.get(node)) references.set(node, variable);
      }
    }
    return references.get(identifier) ?? null;
  };
  const mark = (variable, found) => {
    if (!variable || found.size === 0) return;
    const known = marks.get(variable) ?? new Set();
    marks.set(variable, known);
    for (const one of found) {
      if (!known.has(one)) changed = true;
      known.add(one);
    }
  };
  const union = (...sets) =>
    sets.reduce((all, set) => (set.size === 0 ? all : all.size === 0 ? set : new Set([...all, ...set])), NOTHING);
  const all = (nodes) => union(...nodes.filter(Boolean).map(marksOf));
  const field = (of, name) => {
    if (COUNTS.has(name)) return of.has(VERDICT) ? new Set([VERDICT]) : NOTHING;
    return of.has(name) ? new Set([CLOCK]) : of;
  };
  const nameOf = ({ computed, key, property }) => {
    const name = key ?? property;
    return computed ? null : (name.name ?? String(name.value));
  };

  /** Adds marks to a variable, a pattern or a field. */
  function assign(target, found) {
    if (!target || found.size === 0) return;
    if (target.type === 'Identifier') mark(variableOf(target), found);
    else if (target.type === 'AssignmentPattern') assign(target.left, found);
    else if (target.type === 'RestElement') assign(target.argument, found);
    else if (target.type === 'ArrayPattern') target.elements.forEach((element) => assign(element, found));
    else if (target.type === 'ObjectPattern')
      for (const property of target.properties)
        assign(property.value ?? property, property.value ? field(found, nameOf(property)) : found);
    else if (target.type === 'MemberExpression') {
      const name = target.computed ? null : target.property.name;
      let root = target.object;
      while (root.type === 'MemberExpression') root = root.object;
      assign(root, name && found.has(CLOCK) ? new Set([...[...found].filter((one) => one !== CLOCK), name]) : found);
    }
  }

  function marksOf(node) {
    if (!node) return NOTHING;
    if (isRead(node)) return new Set([CLOCK]);
    if (WRAPPERS.has(node.type)) return marksOf(node.argument ?? node.expression);
    if (isFunction(node)) return all(node.body.type === 'BlockStatement' ? (returns.get(node) ?? []) : [node.body]);
    switch (node.type) {
      case 'Identifier':
        return marks.get(variableOf(node)) ?? NOTHING;
      case 'BinaryExpression': {
        const found = union(marksOf(node.left), marksOf(node.right));
        return ORDERS.has(node.operator) && found.has(CLOCK) ? new Set([VERDICT]) : found;
      }
      case 'LogicalExpression':
        return union(marksOf(node.left), marksOf(node.right));
      case 'ConditionalExpression':
        return all([node.consequent, node.alternate]);
      case 'AssignmentExpression':
        return marksOf(node.right);
      case 'ArrayExpression':
        return all(node.elements);
      case 'ObjectExpression':
        return union(...node.properties.map(marksOfProperty));
      case 'MemberExpression':
        return field(marksOf(node.object), nameOf(node));
      case 'NewExpression':
        return ['Date', 'Map', 'Set'].includes(node.callee.name) ? all(node.arguments) : NOTHING;
      case 'CallExpression':
        return marksOfCall(node);
      default:
        return NOTHING;
    }
  }

  function marksOfProperty(property) {
    if (property.type === 'SpreadElement') return marksOf(property.argument);
    const found = marksOf(property.value);
    const name = nameOf(property);
    return name && found.has(CLOCK) ? new Set([...[...found].filter((one) => one !== CLOCK), name]) : found;
  }

  function marksOfCall({ callee, arguments: given }) {
    if (callee.type === 'Identifier') {
      if (measures.has(callee.name)) return new Set([CLOCK]);
      return PURE.has(callee.name) || COMPUTES.test(callee.name) ? all(given) : marksOf(callee);
    }
    if (callee.type !== 'MemberExpression') return NOTHING;
    if (PURE.has(callee.object.name)) return all(given);
    const name = callee.property.name;
    const own = marksOf(callee.object);
    const functions = given.filter(isFunction);
    if (['map', 'flatMap', 'then'].includes(name) && functions.length > 0) return all(functions);
    if (name === 'reduce') return union(own, all(given));
    const said = all(functions);
    return said.has(VERDICT) ? union(own, new Set([VERDICT])) : own;
  }

  /**
   * Passes marks to the parameters of called functions: of functions in this file, and of callbacks of a marked value's
   * methods.
   */
  function bind({ callee, arguments: given }) {
    if (callee.type === 'Identifier') {
      const [definition] = variableOf(callee)?.defs ?? [];
      const called = isFunction(definition?.node) ? definition.node : definition?.node?.init;
      if (isFunction(called)) given.forEach((node, i) => assign(called.params[i], marksOf(node)));
    } else if (callee.type === 'MemberExpression') {
      const own = marksOf(callee.object);
      for (const called of given.filter(isFunction))
        for (const parameter of called.params.slice(0, callee.property.name === 'map' ? 1 : 2)) assign(parameter, own);
      if (['push', 'unshift', 'add', 'set'].includes(callee.property.name)) assign(rootOf(callee.object), all(given));
    }
  }
  const rootOf = (node) => (node.type === 'MemberExpression' ? rootOf(node.object) : node);

  const write = (target, value) => {
    steps.push(() => assign(target, marksOf(value)));
    if (target.type !== 'Identifier') return;
    const variable = variableOf(target);
    writes.set(variable, [...(writes.get(variable) ?? []), value]);
  };

  return {
    listeners: {
      VariableDeclarator: ({ id, init }) => init && write(id, init),
      AssignmentExpression: ({ left, right }) => write(left, right),
      ForOfStatement({ left, right }) {
        steps.push(() => assign(left.declarations?.[0].id ?? left, marksOf(right)));
      },
      FunctionDeclaration(node) {
        if (node.id) steps.push(() => mark(variableOf(node.id), marksOf(node)));
      },
      ReturnStatement(node) {
        let of = node.parent;
        while (of && !isFunction(of)) of = of.parent;
        if (of && node.argument) returns.set(of, [...(returns.get(of) ?? []), node.argument]);
      },
      CallExpression(node) {
        steps.push(() => bind(node));
      },
    },
    solve() {
      while (changed) {
        changed = false;
        for (const step of steps) step();
      }
    },
    of(node) {
      const found = marksOf(node);
      return { isClock: found.has(CLOCK), isVerdict: found.has(VERDICT) };
    },
    variableOf,
    writesOf: (variable) => writes.get(variable) ?? [],
  };
}
