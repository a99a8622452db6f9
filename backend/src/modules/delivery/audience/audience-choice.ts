/** Reasons to leave out an address of a choice. Each left-out address has a row in `send_left_out`. */
export const LEFT_OUT_REASONS = ['doNotSend', 'excludedList', 'excludedSegment', 'excludedHere', 'companyCap'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Rules for who is mailed first if a company has more people than its cap allows. */
export const COMPANY_PREFERENCES = ['least_recently_mailed'] as const;
export type CompanyPreference = (typeof COMPANY_PREFERENCES)[number];

/** Whom a send goes to, as stored with the send. Only sends with segments, exclusions, rules or caps store a choice. */
export interface AudienceChoice {
  listIds: string[];
  segmentIds: string[];
  excludeListIds: string[];
  excludeSegmentIds: string[];
  /** Normalised addresses and domains to exclude. */
  excludeAddresses: string[];
  perCompany: { max: number; prefer: CompanyPreference } | null;
  /** Names of the lists and segments at acceptance, by id. */
  names: Record<string, string>;
}

/** Number of addresses of a choice, by what happens to them. */
export interface AudienceCounts {
  recipients: number;
  suppressed: number;
  pending: number;
  otherType: number;
  /** Mailable memberships beyond the first one of each address. */
  duplicates: number;
  leftOut: Record<LeftOutReason, number>;
}

/** An excluded address, shown as an example before the send. */
export interface LeftOutSample {
  email: string;
  reason: LeftOutReason;
  detail: string;
}
