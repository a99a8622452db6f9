import { useEffect, useEffectEvent } from 'react';
import { LIST_PARAM, SEGMENT_PARAM } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { noAudience } from './audience';
import type { DraftState } from '../use-draft';

/** Selects the list or segment that the URL names, instead of what was chosen so far. */
export function PreselectedAudience({ state }: { state: DraftState }) {
  const { params, write } = useAddress();
  const listId = params.get(LIST_PARAM);
  const addressTo = useEffectEvent((list: string) => {
    write({ [LIST_PARAM]: null, step: null }, { replace: true });
    state.change({ emailListIds: [list], audience: noAudience });
  });
  const segmentId = params.get(SEGMENT_PARAM);
  const addressToSegment = useEffectEvent((segment: string) => {
    write({ [SEGMENT_PARAM]: null, step: null }, { replace: true });
    state.change({ emailListIds: [], audience: { ...noAudience, segmentIds: [segment] } });
  });
  useEffect(() => {
    if (listId) addressTo(listId);
    else if (segmentId) addressToSegment(segmentId);
  }, [listId, segmentId]);
  return null;
}
