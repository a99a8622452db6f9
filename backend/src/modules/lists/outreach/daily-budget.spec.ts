import { describe, expect, it } from '@jest/globals';
import { type BudgetFacts, dailyBudget, type OutreachRecord } from './daily-budget.js';

const none: OutreachRecord = { sent: 0, answerable: 0, confirmed: 0, bounced: 0 };
const budget = (facts: Partial<BudgetFacts> = {}) =>
  dailyBudget({ base: 50, days: 0, own: none, visitors: none, ...facts });

describe('the daily budget', () => {
  it('is 50 for a new Free account and 500 for Pro, with a share for the owner and one for visitors', () => {
    expect(budget()).toEqual({ total: 50, ownMost: 40, visitorsMost: 25, ownStop: null, visitorsStop: null });
    expect(budget({ base: 500 })).toMatchObject({ total: 500, ownMost: 400, visitorsMost: 250 });
  });

  it.each([
    [6, 50],
    [7, 56],
    [28, 75],
    [56, 100],
    [4000, 100],
    [-3, 50],
  ])('of an account %i days old is %i', (days, total) => expect(budget({ days }).total).toBe(total));

  it('grows with the share of confirmed contacts, once enough people could answer', () => {
    expect(budget({ own: { ...none, sent: 19, answerable: 19, confirmed: 19 } }).total).toBe(50);
    expect(budget({ own: { ...none, sent: 20, answerable: 20, confirmed: 10 } }).total).toBe(150);
    expect(budget({ days: 70, visitors: { ...none, sent: 400, answerable: 200, confirmed: 200 } }).total).toBe(500);
  });

  it('is not reduced by mails that could not be answered yet', () => {
    expect(budget({ own: { ...none, sent: 500, answerable: 99 } }).ownStop).toBeNull();
    expect(budget({ own: { ...none, sent: 500, answerable: 100, confirmed: 4 } }).ownStop).toBe('few_confirmed');
    expect(budget({ own: { ...none, sent: 500, answerable: 100, confirmed: 5 } }).ownStop).toBeNull();
  });

  it('is set to zero by bounces after the first hundred mails', () => {
    expect(budget({ own: { ...none, sent: 99, bounced: 99 } }).ownStop).toBeNull();
    expect(budget({ own: { ...none, sent: 100, bounced: 5 } }).ownStop).toBeNull();
    expect(budget({ own: { ...none, sent: 100, bounced: 6 } }).ownStop).toBe('many_bounced');
  });

  it('judges mails of the owner and of visitors separately', () => {
    const bad = { sent: 200, answerable: 200, confirmed: 0, bounced: 0 };
    expect(budget({ visitors: bad })).toMatchObject({ ownStop: null, visitorsStop: 'few_confirmed' });
    expect(budget({ own: bad })).toMatchObject({ ownStop: 'few_confirmed', visitorsStop: null });
  });
});
