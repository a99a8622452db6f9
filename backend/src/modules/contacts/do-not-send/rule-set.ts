import { hashAddress, hostOf } from '../../../shared/mail/address.js';
import type { RuleKind, RuleReason } from '../contacts.constants.js';
import { isErased } from './reason-labels.js';

/** A do-not-send rule as it is kept in memory for checking messages and lines of imports. */
export interface HeldRule {
  kind: RuleKind;
  value: string;
  /** SHA-256 of the address, in hex; null for a domain. */
  hash: string | null;
  reason: RuleReason;
  createdAt: Date;
  expiresAt: Date | null;
}

/** The domain of a normalised address and all its parent domains, the longest first. */
export function domainsOf(emailNorm: string): string[] {
  const labels = hostOf(emailNorm).split('.');
  return labels.map((_label, at) => labels.slice(at).join('.'));
}

/** The rules of one account, held in memory. */
export class RuleSet {
  private readonly byValue = new Map<string, HeldRule>();
  /** Rules of erased people, keyed by the hash of the address. */
  private readonly erased = new Map<string, HeldRule>();

  constructor(rules: readonly HeldRule[]) {
    for (const rule of rules) {
      if (rule.hash !== null && isErased(rule.value)) this.erased.set(rule.hash, rule);
      else this.byValue.set(rule.value, rule);
    }
  }

  get size(): number {
    return this.byValue.size + this.erased.size;
  }

  /**
   * The rule that covers a normalised address: the rule for the address itself, otherwise the rule for the longest
   * matching domain. Costs one look-up per label of the domain.
   * @returns undefined if no rule covers the address
   */
  covering(emailNorm: string, now: Date): HeldRule | undefined {
    const own = this.byValue.get(emailNorm) ?? this.erasedOf(emailNorm);
    if (own && holds(own, now)) return own;
    for (let at = emailNorm.lastIndexOf('@'); at >= 0; at = emailNorm.indexOf('.', at + 1)) {
      const rule = this.byValue.get(emailNorm.slice(at + 1));
      if (rule && holds(rule, now)) return rule;
    }
    return undefined;
  }

  private erasedOf(emailNorm: string): HeldRule | undefined {
    return this.erased.size > 0 ? this.erased.get(hashAddress(emailNorm).toString('hex')) : undefined;
  }
}

const holds = ({ expiresAt }: HeldRule, now: Date): boolean => expiresAt === null || expiresAt > now;
