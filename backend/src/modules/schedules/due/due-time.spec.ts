import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { dueTimeOf, leavesAt } from './due-time.js';

const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/London',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Cairo',
];
const due = (at: string, timeZone: string, later = false) => {
  const found = dueTimeOf({ at, timeZone, later });
  return found && ('dueAt' in found ? found.dueAt.toISOString() : found);
};

describe('a local time', () => {
  it.each([
    ['2027-03-14T01:59', 'America/New_York', '2027-03-14T06:59:00.000Z'],
    ['2027-03-14T03:00', 'America/New_York', '2027-03-14T07:00:00.000Z'],
    ['2027-07-01T09:30', 'Asia/Kolkata', '2027-07-01T04:00:00.000Z'],
  ])('%s in %s is %s', (at, zone, instant) => expect(due(at, zone)).toBe(instant));

  it.each([
    ['2027-03-14T02:30', 'America/New_York', { from: '2:00', to: '3:00' }],
    ['2027-03-28T01:15', 'Europe/London', { from: '1:00', to: '2:00' }],
    ['2027-10-03T02:10', 'Australia/Lord_Howe', { from: '2:00', to: '2:30' }],
    ['2027-09-05T00:20', 'America/Santiago', { from: '0:00', to: '1:00' }],
  ])('%s in %s does not exist', (at, zone, skipped) => expect(due(at, zone)).toEqual({ skipped }));

  it.each([
    ['2027-11-07T01:30', 'America/New_York', '2027-11-07T05:30:00.000Z', '2027-11-07T06:30:00.000Z'],
    ['2027-10-31T01:30', 'Europe/London', '2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'],
    ['2027-04-04T01:45', 'Australia/Lord_Howe', '2027-04-03T14:45:00.000Z', '2027-04-03T15:15:00.000Z'],
  ])('%s in %s occurs twice', (at, zone, first, second) => {
    expect(due(at, zone)).toBe(first);
    expect(due(at, zone, true)).toBe(second);
  });

  it('that occurs once has no second instant', () =>
    expect(due('2027-07-01T09:00', 'America/New_York', true)).toBe(due('2027-07-01T09:00', 'America/New_York')));

  it('with a date that no calendar has is refused', () =>
    expect(due('2027-02-30T09:00', 'America/New_York')).toBeNull());

  it('converts to an instant that reads back the same, is the first such instant, or is skipped by a clock change', () => {
    const minutes = fc.integer({ min: 0, max: 2 * 366 * 24 * 60 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), fc.boolean(), (minute, timeZone, later) => {
        const at = DateTime.fromISO('2026-01-01T00:00', { zone: 'utc' })
          .plus({ minutes: minute })
          .toFormat("yyyy-MM-dd'T'HH:mm");
        const found = dueTimeOf({ at, timeZone, later })!;
        // All instants within a day and a half whose local time is `at`, found by trying every offset of the zone.
        const around = DateTime.fromISO(at, { zone: 'utc' }).toMillis();
        const same = (ms: number) => DateTime.fromMillis(ms, { zone: timeZone }).toFormat("yyyy-MM-dd'T'HH:mm") === at;
        const offsets = new Set(
          [-36, -24, -12, 0, 12, 24, 36].map(
            (hours) => DateTime.fromMillis(around + hours * 3_600_000, { zone: timeZone }).offset,
          ),
        );
        const instants = [...offsets]
          .map((offset) => around - offset * 60_000)
          .filter(same)
          .sort((a, b) => a - b);
        if ('skipped' in found) return expect(instants).toEqual([]);
        expect(found.dueAt.getTime()).toBe(later ? instants.at(-1) : instants[0]);
        expect(found.isDoubled).toBe(instants.length > 1);
        return undefined;
      }),
      { numRuns: 400 },
    );
  });
});

describe('the words for a due time', () => {
  it.each([
    ['2026-12-01T09:00', 'America/Chicago', false, 'Tue, Dec 1 at 9:00 AM CST'],
    ['2027-11-07T01:30', 'America/New_York', false, 'Sun, Nov 7 at 1:30 AM EDT'],
    ['2027-11-07T01:30', 'America/New_York', true, 'Sun, Nov 7 at the second 1:30 AM, EST'],
  ])('%s in %s, later %s: %s', (at, timeZone, later, words) => {
    const found = dueTimeOf({ at, timeZone, later });
    expect(found && 'dueAt' in found && leavesAt(found.dueAt, { at, timeZone, later })).toBe(words);
  });
});
