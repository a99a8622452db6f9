// A test must not wait for a fixed time, which is too short on a slow machine and too long on any other. It waits for a
// condition (`until`). If only time can show that nothing happens, a comment above the line says why:
// `eslint-disable-next-line staffcast/no-bare-wait -- reason`.
const PROMISED = new Set(['node:timers/promises', 'timers/promises']);
const NAMES = new Set(['sleep', 'pause', 'delay']);

/** Whether a promise resolves only after a delay: `new Promise((done) => setTimeout(done, 100))`. */
function isTimer({ callee, arguments: [executor] }) {
  const done = executor?.params?.[0];
  if (callee.name !== 'Promise' || done?.type !== 'Identifier') return false;
  const { body } = executor;
  const call = body.type === 'BlockStatement' ? body.body.length === 1 && body.body[0].expression : body;
  const timer = call?.type === 'UnaryExpression' ? call.argument : call;
  if (timer?.type !== 'CallExpression' || (timer.callee.name ?? timer.callee.property?.name) !== 'setTimeout')
    return false;
  const [ended, ms] = timer.arguments;
  if (!ms || ms.value === 0) return false;
  if (ended.name === done.name) return true;
  const { body: ending } = ended;
  return (
    ending?.type === 'CallExpression' &&
    ending.callee.name === done.name &&
    ending.arguments.every(({ name }) => name === 'undefined')
  );
}

export const noBareWait = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { waits: 'A test must not wait for a length of time: wait for a condition (`until`), or say why not.' },
  },
  create(context) {
    const pauses = new Set(NAMES);
    const report = (node) => context.report({ node, messageId: 'waits' });
    return {
      ImportDeclaration({ source, specifiers }) {
        if (!PROMISED.has(source.value)) return;
        for (const { imported, local } of specifiers) {
          if (imported?.name === 'setTimeout') pauses.add(local.name);
          else pauses.delete(local.name);
        }
      },
      NewExpression(node) {
        if (isTimer(node)) report(node);
      },
      CallExpression(node) {
        const { callee, arguments: given } = node;
        const isPause = callee.type === 'Identifier' && pauses.has(callee.name) && given[0]?.value !== 0;
        if (isPause || callee.property?.name === 'waitForTimeout') report(node);
      },
    };
  },
};
