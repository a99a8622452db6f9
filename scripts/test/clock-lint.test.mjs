import { describe, it } from 'node:test';
import { RuleTester } from 'eslint';
import ts from 'typescript-eslint';
import staffcast from '../lint/index.mjs';

Object.assign(RuleTester, { describe, it, itOnly: it.only });
const tester = new RuleTester({ languageOptions: { parser: ts.parser, sourceType: 'module' } });
const judged = [{ messageId: 'judged' }];
const waits = [{ messageId: 'waits' }];

tester.run('no clock in expect', staffcast.rules['no-clock-in-expect'], {
  valid: [
    // What the product returns is no measurement by the test, even if the test passed a reading to it.
    'const since = Date.now(); const rows = await rowsAfter(since); expect(rows.length).toBeGreaterThan(2);',
    'const sent = await send({ at: new Date(Date.now() + 5_000) }); expect(sent.count).toBeLessThan(3);',
    // The number of measurements, and names that contain the time.
    'const times = []; times.push(performance.now()); expect(times.length).toBeGreaterThan(1);',
    'const told = []; told.push({ at: Date.now(), n: 1 }); expect(told[0].n).toBeLessThan(2);',
    'const name = `list ${Date.now()}`; expect(await named(name)).toBe(name);',
    // Bounds "not before the start" and "not after now".
    'const before = Date.now(); await act(); expect(row.sentAt.getTime()).toBeGreaterThanOrEqual(before);',
    'const before = Date.now(); await act(); expect(row.dueAt.getTime()).toBeGreaterThan(before + 60_000);',
    'const before = new Date(); await act(); expect(Number(row.dueAt)).toBeGreaterThan(before.getTime());',
    'await act(); expect(new Date(row.sentAt).getTime()).toBeLessThanOrEqual(Date.now());',
    // The test controls the clock.
    'jest.useFakeTimers(); const start = Date.now(); jest.advanceTimersByTime(5); expect(Date.now() - start).toBeLessThan(9);',
    // A wait with a time limit asserts nothing.
    'const start = Date.now(); await until(() => Date.now() - start > 500); expect(seen).toBeLessThan(3);',
    'const { heapUsed } = process.memoryUsage(); console.info(heapUsed); expect(rows).toBeLessThan(3);',
    "assert.ok(Date.now() && text.includes('x'));",
  ],
  invalid: [
    'const start = performance.now(); work(); expect(performance.now() - start).toBeLessThan(500);',
    'expect(process.memoryUsage().heapUsed).toBeLessThan(1e9);',
    'const { rss } = process.memoryUsage(); expect(rss / 1024).toBeLessThan(1e6);',
    'const [s] = process.hrtime(); expect(s).toBeCloseTo(3);',
    'const before = process.cpuUsage(); expect(process.cpuUsage(before).user).toBeLessThanOrEqual(5);',
    // Readings that pass through arrays, loops, Math and helpers of the file.
    'const times = []; const start = Date.now(); times.push(Date.now() - start); expect(Math.max(...times)).toBeLessThan(9);',
    'const start = Date.now(); const times = []; times.push(Date.now()); for (const at of times) expect(at - start).toBeLessThan(9);',
    'const start = Date.now(); const ms = await Promise.all(all.map(async () => { await ask(); return Date.now() - start; })); expect(ms[0]).toBeLessThan(9);',
    'async function timed() { const start = Date.now(); await ask(); return { ms: Date.now() - start, ok: true }; } const { ms } = await timed(); expect(ms).toBeLessThan(9);',
    'const timed = async () => ({ ms: Date.now() }); for (const answer of [await timed()]) expect(answer.ms).toBeLessThan(9);',
    'let last = Date.now(); let longest = 0; setInterval(() => { longest = Math.max(longest, Date.now() - last); last = Date.now(); }, 5); expect(longest).toBeLessThan(9);',
    'const figures = {}; figures.slowest = Math.max(figures.slowest, Date.now() - since); expect(figures.slowest).toBeLessThan(9);',
    'const ratio = (a, b) => a / b; const start = Date.now(); expect(ratio(Date.now() - start, 5)).toBeLessThan(9);',
    'const start = Date.now(); const waits = [Date.now() - start]; expect(median(waits)).toBeLessThan(9);',
    // Comparisons of readings under any matcher.
    'expect([status, Date.now() - asked < SOON]).toEqual([503, true]);',
    'const times = [Date.now()]; expect(times.filter((at) => at > since + 500)).toEqual([]);',
    'const times = [Date.now()]; expect(times.every((at) => at < 500)).toBe(true);',
    'assert.ok(Date.now() - start < 500);',
    'expect(row).toEqual({ at: expect.closeTo(Date.now(), -3) });',
    // Bounds that a slow machine makes tighter.
    'await act(); expect(row.dueAt.getTime()).toBeGreaterThan(Date.now());',
    'const before = Date.now(); await act(); expect(row.sentAt.getTime()).toBeLessThan(before + 5_000);',
    'const start = Date.now(); await act(); const took = Date.now() - start; expect(count).toBeGreaterThan(took);',
    'expect(new Date(row.sentAt).getTime() - Date.now()).toBeLessThan(5_000);',
    'await expect.poll(() => performance.now()).toBeLessThan(9);',
  ].map((code) => ({ code, errors: judged })),
});

tester.run('helpers that measure', staffcast.rules['no-clock-in-expect'], {
  valid: ['expect(await blockedMs(work)).toBeLessThan(9);'],
  invalid: [
    {
      code: 'const held = Math.round(await blockedMs(work)); expect(held).toBeLessThan(9);',
      options: [{ measures: ['blockedMs'] }],
      errors: judged,
    },
  ],
});

const named = "import { setTimeout as pause } from 'node:timers/promises';";
tester.run('no bare wait', staffcast.rules['no-bare-wait'], {
  valid: [
    "await until('it is sent', () => isSent());",
    "import { setImmediate as pause } from 'node:timers/promises'; await pause();",
    'await new Promise((done) => setTimeout(done, 0));',
    'await new Promise((done) => server.listen(0, done));',
    // The test simulates a slow answer, so the delay is intended.
    'const slow = () => new Promise((answer) => setTimeout(() => answer({ count: 3 }), 300));',
    'setTimeout(() => socket.destroy(), 100);',
  ],
  invalid: [
    'await new Promise((done) => setTimeout(done, 100));',
    'await new Promise((done) => void setTimeout(done, WAIT_MS));',
    'await new Promise((done) => { setTimeout(() => done(), 100); });',
    'await Promise.race([call, new Promise((late) => setTimeout(() => late(undefined), 3_000))]);',
    `${named} await pause(500);`,
    `${named} const over = pause(500);`,
    `${named} while (!done) await pause(20);`,
    "import { sleep } from './kit.js'; await sleep(100);",
    'await page.waitForTimeout(500);',
  ].map((code) => ({ code, errors: waits })),
});
