import { z } from 'zod';
import type { SaveDraftDto } from '../../../api/endpoints.gen';

/** The parts of an email's audience besides its lists: segments, exclusions and the cap per company. */
export interface Audience {
  segmentIds: string[];
  excludeListIds: string[];
  excludeSegmentIds: string[];
  /** Addresses and domains, as typed. */
  excludeAddresses: string[];
  /** Maximum number of people at one company; null for no limit. */
  perCompany: number | null;
}

export const noAudience: Audience = {
  segmentIds: [],
  excludeListIds: [],
  excludeSegmentIds: [],
  excludeAddresses: [],
  perCompany: null,
};

/** Highest value of `perCompany`. */
export const MAX_PER_COMPANY = 50;
export const isCap = (cap: number): boolean => Number.isInteger(cap) && cap >= 1 && cap <= MAX_PER_COMPANY;

export const audienceSchema = z
  .object({
    segmentIds: z.array(z.string()),
    excludeListIds: z.array(z.string()),
    excludeSegmentIds: z.array(z.string()),
    excludeAddresses: z.array(z.string()),
    perCompany: z.number().nullable(),
  })
  .catch(noAudience);

export const isPlain = ({ perCompany, ...named }: Audience): boolean =>
  perCompany === null && Object.values(named).every((one) => one.length === 0);

type AudienceDto = Pick<SaveDraftDto, keyof Audience>;

/** The audience of a stored email. */
export const audienceOf = (dto: AudienceDto): Audience => ({
  segmentIds: dto.segmentIds ?? [],
  excludeListIds: dto.excludeListIds ?? [],
  excludeSegmentIds: dto.excludeSegmentIds ?? [],
  excludeAddresses: dto.excludeAddresses ?? [],
  perCompany: dto.perCompany?.max ?? null,
});

/** The audience as it is sent in requests; empty parts are left out. */
export const audienceDto = ({ perCompany, ...named }: Audience): AudienceDto => ({
  ...Object.fromEntries(Object.entries(named).filter(([, ids]) => ids.length > 0)),
  ...(perCompany !== null && isCap(perCompany) && { perCompany: { max: perCompany } }),
});
