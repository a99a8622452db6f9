import { z } from 'zod';
import { randomUuid } from '../../../lib/browser';

const CHANNEL_NAME = 'staffcast_drafts';

const message = z.object({
  /**
   * `open` asks which windows have the draft open; `here` answers, and `closed` says that a window no longer has it.
   * The others report a change of the draft.
   */
  kind: z.enum(['open', 'here', 'closed', 'saved', 'sent', 'deleted']),
  draftId: z.string(),
  from: z.string(),
  version: z.number().optional(),
  updatedAt: z.string().optional(),
});
export type DraftMessage = z.infer<typeof message>;

/**
 * BroadcastChannel between the windows of one browser that edit drafts. Without BroadcastChannel, nothing is sent or
 * received.
 */
export function openDraftChannel(onMessage: (message: DraftMessage) => void) {
  const from = randomUuid();
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL_NAME);
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const read = message.safeParse(data);
      if (read.success && read.data.from !== from) onMessage(read.data);
    };
  return {
    send: (outgoing: Omit<DraftMessage, 'from'>) => channel?.postMessage({ ...outgoing, from }),
    close: () => channel?.close(),
  };
}
