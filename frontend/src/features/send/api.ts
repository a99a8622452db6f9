import { client } from '../../api/client';
import type { EmailListDto, HistoryEntryDto, SendPreviewDto } from '../../api/endpoints.gen';
import type { Draft } from './draft';

export type SendableList = EmailListDto;
export type SendPreview = SendPreviewDto;
export type PastSend = HistoryEntryDto;
export { useCurrentUser } from '../../api/session';

/** As many lists as one call gives; further ones are found by searching. */
const MOST_LISTS = 1000;

/** The lists the person may send to, the shared network with them. */
export const useSendableLists = () => client.useListEmailListsQuery({ sendable: true, limit: MOST_LISTS });

/** Those whose name matches, among all; for accounts with more lists than one call gives. */
export const useFoundSendableLists = (search: string, skip: boolean) => client.useListEmailListsQuery({ sendable: true, limit: 100, search }, { skip });

/** One list by its id. */
export const useListById = (id: string, skip: boolean) => client.useGetEmailListQuery({ id }, { skip });

const previewArgs = ({ emailListIds, emailType, subject, content }: Pick<Draft, 'emailListIds' | 'emailType'> & Partial<Pick<Draft, 'subject' | 'content'>>) => ({
  previewSendDto: { emailListIds, emailType, ...(subject && { subject }), ...(content && { content }) },
});

/** Whether the preview on the screen says that nobody gets the message. */
export const useIsForNobody = (draft: Draft) => Number(client.endpoints.previewSend.useQueryState(previewArgs(draft)).currentData?.recipientCount ?? 1) === 0;

/** Who would get it, and who not and why; with a subject and content also how it would read. */
export function usePreview(draft: Pick<Draft, 'emailListIds' | 'emailType'> & Partial<Pick<Draft, 'subject' | 'content'>>) {
  return client.usePreviewSendQuery(previewArgs(draft), { skip: draft.emailListIds.length === 0, refetchOnMountOrArgChange: true });
}

/** A send to start another from. */
export function usePastSend() {
  const [load] = client.useLazyGetHistoryEntryQuery();
  return (id: string) => load({ id }, true).unwrap();
}

export function useSendEmail() {
  const [send] = client.useSendEmailMutation();
  return ({ emailListIds, emailType, subject, content }: Draft, key: string) =>
    send({ 'Idempotency-Key': key, sendEmailDto: { emailListIds, emailType, subject: subject.trim(), content } }).unwrap();
}
