import { isoTime } from '../../../shared/text/formats.js';
import type { ReportedAudience } from '../../delivery/index.js';
import type { NamedChoiceDto, SentAudienceDto } from './report.dto.js';

/** Converts the audience of a send for the send's page. */
export function sentAudience({ choices, frozenAt, failure }: ReportedAudience): SentAudienceDto {
  const named = (ids: readonly string[]): NamedChoiceDto[] => ids.map((id) => ({ id, name: choices.names[id] ?? '' }));
  return {
    segments: named(choices.segmentIds),
    excludedLists: named(choices.excludeListIds),
    excludedSegments: named(choices.excludeSegmentIds),
    excludedAddresses: choices.excludeAddresses,
    perCompany: choices.perCompany?.max ?? null,
    frozenAt: isoTime(frozenAt),
    failure,
  };
}
