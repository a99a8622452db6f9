import type { SegmentFilter, SegmentRule } from '../../../src/modules/contacts/segments/segment-filter.js';
import {
  dayFrom,
  KINDS,
  type Membership,
  type Message,
  NOT_SENT_TO,
  type Person,
  type World,
} from './segment-world.js';

/** Decides in plain code whether a filter finds a person, independently of the product's SQL. */
export class Oracle {
  constructor(
    private readonly world: World,
    private readonly zone: string,
  ) {}

  finds(filter: SegmentFilter): Set<string> {
    return new Set(this.world.people.filter((person) => this.holds(filter, person)).map(({ id }) => id));
  }

  private holds(part: SegmentFilter | SegmentRule, person: Person): boolean {
    if (!('rules' in part)) return this.rule(part, person);
    const results = part.rules.map((one) => this.holds(one, person));
    const all = part.combinator === 'and' ? results.every(Boolean) : results.some(Boolean);
    return part.not ? !all : all;
  }

  private rule({ field, operator, value }: SegmentRule, person: Person): boolean {
    if (field.startsWith('field.')) return this.custom(field.slice(6), operator, value, person);
    switch (field) {
      case 'emailDomain':
        return textRule(person.email.split('@')[1]!, operator, value);
      case 'companyDomain':
        return textRule(person.companyDomain, operator, value);
      case 'createdAt':
        return this.time(person.addedHours, operator, value);
      case 'tags':
        return setRule(person.tags.map(String), operator, value as string[]);
      case 'list':
        return this.list(person, operator, value as { values: string[]; state: string });
      case 'consent': {
        const has = (value as string[]).some((one) => this.consent(person, one));
        return operator === 'isOneOf' ? has : !has;
      }
      case 'origin': {
        const has = (value as string[]).some((one) => this.came(person, one));
        return operator === 'isOneOf' ? has : !has;
      }
      case 'confirmedAt':
        return this.live(person).some(
          ({ confirmed, confirmedHours }) => confirmed && this.time(confirmedHours!, operator, value),
        );
      case 'mailed':
        return this.mailed(person, operator, value as number);
      case 'bounced': {
        const hours = person.activity?.bouncedHours ?? null;
        const has = hours !== null && hours < (value as number) * 24;
        return operator === 'lastDays' ? has : !has;
      }
      case 'companyKind': {
        const has = (value as string[]).includes(KINDS[person.companyDomain ?? ''] ?? '');
        return operator === 'isOneOf' ? has : !has;
      }
      case 'doNotSend': {
        const [host] = person.email.split('@').slice(-1);
        const has = NOT_SENT_TO.some((rule) => rule === person.email || rule === host || host!.endsWith(`.${rule}`));
        return operator === 'covers' ? has : !has;
      }
      case 'sent': {
        const has = person.messages.some(
          ({ send, status, masked }) => send === value && !masked && status !== 'failed' && status !== 'skipped',
        );
        return operator === 'is' ? has : !has;
      }
      default:
        return textRule(person[field as keyof Person] as string | null, operator, value);
    }
  }

  private custom(key: string, operator: string, value: unknown, { fields }: Person): boolean {
    const has = fields[key];
    switch (key) {
      case 'note':
        return textRule(typeof has === 'string' ? has : null, operator, value);
      case 'rate':
        return orderRule(typeof has === 'number' ? has : null, operator, value);
      case 'visa_until': {
        const day = typeof has === 'string' && /^\d{4}-\d\d-\d\d$/.test(has) ? has : null;
        const days = value as number;
        if (operator === 'lastDays')
          return day !== null && day >= dayFrom(-days, this.zone) && day <= dayFrom(0, this.zone);
        if (operator === 'nextDays')
          return day !== null && day >= dayFrom(0, this.zone) && day <= dayFrom(days, this.zone);
        return orderRule(day, operator, value);
      }
      case 'local':
        if (operator === 'isYes') return has === true;
        if (operator === 'isNo') return has === false;
        return (typeof has !== 'boolean') === (operator === 'isEmpty');
      case 'tier':
        return textRule(typeof has === 'string' ? has : null, operator, value, true);
      default:
        return setRule(Array.isArray(has) ? (has as string[]) : [], operator, value as string[]);
    }
  }

  private time(hours: number, operator: string, value: unknown): boolean {
    if (operator === 'lastDays') return hours < (value as number) * 24;
    return orderRule(dayFrom(-hours / 24, this.zone, this.world.made), operator, value);
  }

  private live({ memberships }: Person): Membership[] {
    return memberships.filter(({ list }) => list !== this.world.deletedList);
  }

  private list(person: Person, operator: string, { values, state }: { values: string[]; state: string }): boolean {
    const left = ['unsubscribed', 'complained'];
    const fits: Record<string, (one: Membership) => boolean> = {
      any: () => true,
      present: ({ suppressed }) => !left.includes(suppressed ?? ''),
      confirmed: ({ confirmed, suppressed }) => confirmed && !suppressed,
      pending: ({ confirmed, suppressed }) => !confirmed && !suppressed,
      left: ({ suppressed }) => left.includes(suppressed ?? ''),
    };
    const has = this.live(person).some((one) => values.includes(one.list) && fits[state]!(one));
    return operator === 'anyOf' ? has : !has;
  }

  private consent(person: Person, wanted: string): boolean {
    const live = this.live(person);
    const mailable = live.filter(({ confirmed, suppressed }) => confirmed && !suppressed);
    if (wanted === 'mailable-job-posts') return mailable.some(({ type }) => type === 'job-posts');
    if (wanted === 'mailable-candidate-lists') return mailable.some(({ type }) => type === 'candidate-lists');
    const is = (reason: string) => live.some(({ suppressed }) => suppressed === reason);
    const ofReason = { unsubscribed: 'left', bounced: 'bounced', complained: 'complained' };
    const consent =
      mailable.length > 0 ? 'mailable'
      : is('complained') ? 'complained'
      : is('unsubscribed') ? 'left'
      : is('bounced') ? 'bounced'
      : live.length > 0 ? 'pending'
      : person.suppressed ? ofReason[person.suppressed.reason]
      : 'none'; // prettier-ignore
    return consent === wanted;
  }

  private came(person: Person, wanted: string): boolean {
    const live = this.live(person);
    if (wanted === 'statement') return live.some(({ attested }) => attested);
    const sources: Record<string, string[]> = { public: ['public'], import: ['import'], hand: ['owner', 'admin'] };
    return [person.source, ...live.map(({ source }) => source)].some((one) => sources[wanted]!.includes(one));
  }

  private open({ messages }: Person): { message: Message; hours: number }[] {
    return messages.flatMap((message) => {
      const send = this.world.sends.find(({ id }) => id === message.send)!;
      const counts = send.isPending && !message.masked && message.status !== 'failed' && message.status !== 'skipped';
      return counts ? [{ message, hours: message.sentHours ?? send.hours }] : [];
    });
  }

  private mailed(person: Person, operator: string, value: number): boolean {
    const open = this.open(person);
    const last = [person.activity?.lastHours ?? null, ...open.map(({ hours }) => hours)].filter(
      (hours) => hours !== null,
    );
    switch (operator) {
      case 'lastDays':
        return last.some((hours) => hours < value * 24);
      case 'notLastDays':
        return !last.some((hours) => hours < value * 24);
      case 'never':
        return last.length === 0;
      default:
        return (person.activity?.count ?? 0) + open.length >= value;
    }
  }
}

function textRule(has: string | null, operator: string, value: unknown, isExact = false): boolean {
  const lower = (text: string): string => (isExact ? text : text.toLowerCase());
  const text = lower(has ?? '');
  const one = typeof value === 'string' ? lower(value) : '';
  const many = Array.isArray(value) ? (value as string[]).map(lower) : [];
  switch (operator) {
    case 'is':
      return text === one;
    case 'isNot':
      return text !== one;
    case 'contains':
      return text.includes(one);
    case 'startsWith':
      return text.startsWith(one);
    case 'isOneOf':
      return many.includes(text);
    case 'isNoneOf':
      return !many.includes(text);
    case 'isEmpty':
      return text === '';
    default:
      return text !== '';
  }
}

function orderRule<T extends string | number>(has: T | null, operator: string, value: unknown): boolean {
  if (operator === 'isEmpty') return has === null;
  if (operator === 'isNotEmpty') return has !== null;
  if (has === null) return false;
  if (operator === 'between') return has >= (value as [T, T])[0] && has <= (value as [T, T])[1];
  const to = value as T;
  return { lt: has < to, lte: has <= to, eq: has === to, gte: has >= to, gt: has > to }[operator]!;
}

function setRule(has: readonly string[], operator: string, value: readonly string[]): boolean {
  switch (operator) {
    case 'anyOf':
      return value.some((one) => has.includes(one));
    case 'allOf':
      return value.every((one) => has.includes(one));
    case 'noneOf':
      return !value.some((one) => has.includes(one));
    case 'isEmpty':
      return has.length === 0;
    default:
      return has.length > 0;
  }
}
