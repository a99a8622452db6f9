// A test must not assert durations or memory, because a slow machine would look like a fault.
// The rule reports values from Date.now(), new Date(), performance.now(), process.hrtime, process.memoryUsage,
// process.cpuUsage or a measuring helper (option `measures`) that reach an assertion: in `expect(…)` or a comparing
// matcher, and as a comparison (`expect(Date.now() - start < 500)`, `times.filter((ms) => ms > 500)`) under any
// matcher. Values are followed through the variables, parameters, fields and functions of the file, but not through
// calls of other functions, because what the product returns is no measurement by the test.
// Moments are allowed as bounds of a value that the test did not measure itself, if a slow machine only makes the bound
// looser: "not before the start" (toBeGreaterThan… of a reading kept in a variable) and "not after now" (toBeLessThan…
// of a reading made in the matcher). A file that calls useFakeTimers() controls its clock, so it is not checked.
import { flowsOf, isLocal, isMoment, isReading } from './clock-flows.mjs';

const LOWER = new Set(['toBeGreaterThan', 'toBeGreaterThanOrEqual']);
const UPPER = new Set(['toBeLessThan', 'toBeLessThanOrEqual']);
const COMPARING = new Set([...LOWER, ...UPPER, 'toBeCloseTo', 'toBeWithin', 'toBeBetween', 'toBeInRange']);

/** The call of `expect`, `expect.soft` or `expect.poll` that a matcher belongs to. */
function expectOf(node) {
  for (let at = node; at; at = at.object) {
    if (at.type === 'CallExpression') {
      const { callee } = at;
      const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name;
      return name === 'expect' ? at : null;
    }
    if (at.type !== 'MemberExpression') return null;
  }
  return null;
}

function isAssert({ callee }) {
  if (callee.type === 'Identifier') return callee.name === 'assert';
  return callee.type === 'MemberExpression' && callee.object.name === 'assert' && callee.property.name === 'ok';
}

export const noClockInExpect = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'object',
        properties: { measures: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
    messages: {
      judged:
        'A test must not judge by the clock or by memory: assert what causes it (counts, order), or measure it in npm run bench.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const flows = flowsOf(sourceCode, new Set(context.options[0]?.measures ?? []));
    const assertions = [];
    let holdsClock = false;

    const mayBound = (matcher, bound) =>
      (LOWER.has(matcher) && isMoment(bound, flows) && !isReading(bound)) ||
      (UPPER.has(matcher) && isMoment(bound, flows) && isReading(bound) && !isLocal(bound, flows));
    const isJudged = ({ given, matcher, bounds }) => {
      const of = given.map((node) => flows.of(node));
      if ([...of, ...bounds.map((node) => flows.of(node))].some((found) => found.isVerdict)) return true;
      if (!COMPARING.has(matcher)) return false;
      if (of.some((found) => found.isClock)) return true;
      return bounds.some((bound) => flows.of(bound).isClock && !mayBound(matcher, bound));
    };

    return {
      ...flows.listeners,
      CallExpression(node) {
        flows.listeners.CallExpression(node);
        const { callee } = node;
        if (callee.type === 'MemberExpression' && callee.property.name === 'useFakeTimers') holdsClock = true;
        if (isAssert(node)) assertions.push({ node, given: node.arguments.slice(0, 1), matcher: 'ok', bounds: [] });
        if (callee.type !== 'MemberExpression') return;
        if (callee.object.name === 'expect' && callee.property.name === 'closeTo')
          assertions.push({ node, given: node.arguments, matcher: 'toBeCloseTo', bounds: [] });
        const expected = expectOf(callee.object);
        if (expected)
          assertions.push({
            node,
            given: expected.arguments.slice(0, 1),
            matcher: callee.property.name,
            bounds: node.arguments,
          });
      },
      'Program:exit'() {
        if (holdsClock) return;
        flows.solve();
        for (const assertion of assertions)
          if (isJudged(assertion)) context.report({ node: assertion.node, messageId: 'judged' });
      },
    };
  },
};
