/** Why an address of the choice is left out. Each such address has a row in `send_left_out`. */
export const LEFT_OUT_REASONS = ['doNotSend', 'excludedList', 'excludedSegment', 'excludedHere', 'companyCap'] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Who is mailed first where a company has more people than its cap allows. */
export const COMPANY_PREFERENCES = ['least_recently_mailed'] as const;
export type CompanyPreference = (typeof COMPANY_PREFERENCES)[number];

/** Whom a send goes to beyond plain lists, as stored with the send. */
export interface AudienceChoice {
  listIds: string[];
  segmentIds: string[];
  excludeListIds: string[];
  excludeSegmentIds: string[];
  /** Normalised addresses and domains. */
  excludeAddresses: string[];
  perCompany: { max: number; prefer: CompanyPreference } | null;
  /** Names of the lists and segments by id, at acceptance. */
  names: Record<string, string>;
}

/** Numbers of addresses, by what happens to them. */
export interface AudienceCounts {
  recipients: number;
  suppressed: number;
  pending: number;
  otherType: number;
  /** Mailable memberships beyond the first of each address. */
  duplicates: number;
  leftOut: Record<LeftOutReason, number>;
}

/** An excluded address, to be shown before the send. */
export interface LeftOutSample {
  email: string;
  reason: LeftOutReason;
  detail: string;
}
