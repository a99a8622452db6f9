import { client } from '../../api/client';
import type { EmailListDto, HistoryEntryDto, SendPreviewDto } from '../../api/endpoints.gen';
import type { Draft } from './draft';

export type SendableList = EmailListDto;
export type SendPreview = SendPreviewDto;
export type PastSend = HistoryEntryDto;
export { useCurrentUser } from '../../api/session';

/** Every list the person may send to, the shared network with them. */
export const useSendableLists = () => client.useListEmailListsQuery({ sendable: true, limit: 1000 });

/** Who would get it, and who not and why; with a subject and content also how it would read. */
export function usePreview(draft: Pick<Draft, 'emailListIds' | 'emailType'> & Partial<Pick<Draft, 'subject' | 'content'>>) {
  const { emailListIds, emailType, subject, content } = draft;
  return client.usePreviewSendQuery(
    { previewSendDto: { emailListIds, emailType, ...(subject && { subject }), ...(content && { content }) } },
    { skip: emailListIds.length === 0, refetchOnMountOrArgChange: true },
  );
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
