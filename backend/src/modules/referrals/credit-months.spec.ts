import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  accessUntil,
  addMonths,
  asCredited,
  asScheduled,
  balanceKey,
  rescheduleOpen,
  consumedBy,
  type CreditMonth,
  monthsOpen,
  closeGap,
  appendMonth,
  unexpired,
} from './credit-months.js';

const utc = (text: string) => new Date(`${text}T12:00:00.000Z`);
let made = 0;
const month = (over: Partial<CreditMonth> = {}): CreditMonth => ({
  id: `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  userId: 'u',
  state: 'scheduled',
  startsAt: null,
  endsAt: null,
  balanceTxnId: null,
  cents: null,
  n: 0,
  reason: null,
  earnedAt: new Date(made * 1000),
  ...over,
});
const span = ({ startsAt, endsAt }: CreditMonth) => [
  startsAt?.toISOString().slice(0, 10),
  endsAt?.toISOString().slice(0, 10),
];

/** Earns months in sequence at the given times. */
const earn = (times: Date[]) =>
  times.reduce<CreditMonth[]>((months, at) => [...months, appendMonth(month({ earnedAt: at }), months, at)], []);

const aTime = fc.date({ min: new Date('2024-01-01'), max: new Date('2028-12-31'), noInvalidDate: true });
const someTimes = fc
  .array(aTime, { minLength: 1, maxLength: 14 })
  .map((times) => times.sort((a, b) => Number(a) - Number(b)));

describe('calendar months', () => {
  it('end on the last day where the month is too short', () => {
    expect(addMonths(utc('2026-01-31'), 1)).toEqual(utc('2026-02-28'));
    expect(addMonths(utc('2028-01-31'), 1)).toEqual(utc('2028-02-29'));
    expect(addMonths(utc('2026-10-31'), 4)).toEqual(utc('2027-02-28'));
  });

  it('are UTC, whatever summer time does', () => {
    expect(addMonths(new Date('2026-03-01T00:30:00Z'), 1).toISOString()).toBe('2026-04-01T00:30:00.000Z');
  });
});

describe('earned months', () => {
  it('run at once and follow each other, counted from the first day', () => {
    const months = earn([utc('2026-01-31'), utc('2026-02-01'), utc('2026-02-02')]);
    expect(months.map(span)).toEqual([
      ['2026-01-31', '2026-02-28'],
      ['2026-02-28', '2026-03-31'],
      ['2026-03-31', '2026-04-30'],
    ]);
  });

  it('start again after a gap', () => {
    expect(earn([utc('2026-01-10'), utc('2026-05-20')]).map(span)).toEqual([
      ['2026-01-10', '2026-02-10'],
      ['2026-05-20', '2026-06-20'],
    ]);
  });

  it('never overlap, never start before they are earned, and give a whole month each', () => {
    fc.assert(
      fc.property(someTimes, (times) => {
        const months = earn(times);
        months.forEach((each, i) => {
          expect(each.startsAt! >= times[i]!).toBe(true);
          expect(Number(each.endsAt) - Number(each.startsAt)).toBeGreaterThanOrEqual(28 * 86_400_000);
          if (i > 0) expect(each.startsAt! >= months[i - 1]!.endsAt!).toBe(true);
        });
      }),
    );
  });

  it('cover as many months as were earned, in any order', () => {
    fc.assert(
      fc.property(aTime, fc.integer({ min: 1, max: 24 }), (start, count) => {
        const months = earn(Array.from({ length: count }, () => start));
        expect(months.at(-1)!.endsAt).toEqual(addMonths(start, count));
        expect(accessUntil(months, start)).toEqual(addMonths(start, count));
        expect(monthsOpen(months, start)).toBe(count);
      }),
    );
  });
});

describe('rescheduling', () => {
  it('starts at the end of a paid period and keeps a month that has begun', () => {
    const [running, next] = earn([utc('2026-01-10'), utc('2026-01-11')]) as [CreditMonth, CreditMonth];
    expect(rescheduleOpen([running, next], utc('2026-01-20'), utc('2026-04-01')).map(span)).toEqual([
      ['2026-04-01', '2026-05-01'],
    ]);
    expect(rescheduleOpen([running, next], utc('2026-01-20')).map(span)).toEqual([['2026-02-10', '2026-03-10']]);
  });

  it('schedules a month that was credited and converted back', () => {
    const [earned] = earn([utc('2026-01-10')]) as [CreditMonth];
    const back = asScheduled(asCredited(earned, 'cbtxn_1', 1000));
    expect(back).toMatchObject({ state: 'scheduled', startsAt: null, balanceTxnId: null, cents: null, n: 2 });
    expect(rescheduleOpen([back], utc('2026-03-05')).map(span)).toEqual([['2026-03-05', '2026-04-05']]);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(someTimes, aTime, aTime, (times, now, notBefore) => {
        const months = earn(times);
        const laid = rescheduleOpen(months, now, notBefore);
        const after = (changes: CreditMonth[], all: CreditMonth[]) =>
          all.map((each) => changes.find(({ id }) => id === each.id) ?? each);
        const once = after(laid, months);
        expect(after(rescheduleOpen(once, now, notBefore), once)).toEqual(once);
        laid.forEach((each) =>
          expect(Number(each.startsAt)).toBeGreaterThanOrEqual(Math.max(Number(now), Number(notBefore))),
        );
      }),
    );
  });
});

describe('a revoked month', () => {
  it('is replaced by the following ones', () => {
    const months = earn(['2026-01-10', '2026-01-11', '2026-01-12'].map(utc));
    expect(closeGap(months, months[1]!, utc('2026-01-15')).map(span)).toEqual([['2026-02-10', '2026-03-10']]);
    expect(closeGap(months, months[0]!, utc('2026-01-15')).map(span)).toEqual([
      ['2026-01-15', '2026-02-15'],
      ['2026-02-15', '2026-03-15'],
    ]);
  });

  it('does not move later months that wait for the end of a paid period', () => {
    const months = rescheduleOpen(
      earn(['2026-01-10', '2026-01-11', '2026-01-12'].map(utc)).map((each) => asScheduled(each)),
      utc('2026-01-12'),
      utc('2026-06-01'),
    );
    expect(closeGap(months, months[0]!, utc('2026-01-15')).map(span)).toEqual([
      ['2026-06-01', '2026-07-01'],
      ['2026-07-01', '2026-08-01'],
    ]);
  });

  it('never delays other months and never causes an overlap', () => {
    fc.assert(
      fc.property(someTimes, fc.nat(), aTime, (times, pick, now) => {
        const months = earn(times);
        const revoked = months[pick % months.length]!;
        const moved = closeGap(months, revoked, now);
        const rest = months
          .filter(({ id }) => id !== revoked.id)
          .map((each) => moved.find(({ id }) => id === each.id) ?? each);
        for (const each of moved) {
          const before = months.find(({ id }) => id === each.id)!;
          expect(each.startsAt! <= before.startsAt! || each.startsAt! >= now).toBe(true);
        }
        rest
          .sort((a, b) => Number(a.startsAt) - Number(b.startsAt))
          .forEach((each, i) => i > 0 && expect(each.startsAt! >= rest[i - 1]!.endsAt!).toBe(true));
      }),
    );
  });
});

describe('credited months', () => {
  const credited = (cents: number, at = made) => asCredited(month({ earnedAt: new Date(at) }), `cbtxn_${made}`, cents);

  it('have a unique key for every transaction', () => {
    const one = month();
    const keys = [one, asCredited(one, 'a', 1), asScheduled(asCredited(one, 'a', 1))].map(balanceKey);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(`refcredit:${one.id}:0`);
  });

  it('are consumed oldest first, until the balance covers the rest', () => {
    const months = [credited(1000, 3), credited(800, 1), credited(1000, 2)];
    expect(consumedBy(months, 2800)).toEqual([]);
    expect(consumedBy(months, 2000).map((each) => each.cents)).toEqual([800]);
    expect(consumedBy(months, 1999).map((each) => each.cents)).toEqual([800, 1000]);
    expect(consumedBy(months, -5)).toHaveLength(3);
  });

  it('never exceed the balance, and none is consumed needlessly', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 12 }),
        fc.integer({ min: -100, max: 20_000 }),
        (amounts, left) => {
          const months = amounts.map((cents, i) => credited(cents, i));
          const gone = consumedBy(months, left);
          const sum = (some: CreditMonth[]) => some.reduce((total, each) => total + each.cents!, 0);
          const open = sum(months) - sum(gone);
          expect(open).toBeLessThanOrEqual(Math.max(0, left));
          if (gone.length > 0) expect(open + gone.at(-1)!.cents!).toBeGreaterThan(Math.max(0, left));
        },
      ),
    );
  });

  it('count together with scheduled ones that have not ended', () => {
    const [past, running] = earn([utc('2026-01-10'), utc('2026-05-10')]) as [CreditMonth, CreditMonth];
    const months = [past, running, credited(1000), month({ state: 'consumed' }), month({ state: 'revoked' })];
    expect(unexpired(months, utc('2026-05-20'))).toEqual([running]);
    expect(monthsOpen(months, utc('2026-05-20'))).toBe(2);
    expect(accessUntil(months, utc('2026-05-20'))).toEqual(running.endsAt);
    expect(accessUntil(months, utc('2026-03-20'))).toBeNull();
  });
});
