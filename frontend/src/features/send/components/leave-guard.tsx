import { useUnsavedInput, type LeaveQuestion } from '../../../lib/unsaved-changes';

const writing: LeaveQuestion = {
  title: 'Leave this draft?',
  text: 'Nothing has been sent. The draft stays on this device; open Send Email to go on with it.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};
const sending: LeaveQuestion = {
  title: 'Leave while it is being sent?',
  text: 'The server is taking your email at this moment, and leaving does not stop it. Stay to see whether it was accepted, or look into the history later.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};

/** Asks before a half-written send is left, or one whose answer is still on its way. The draft itself is kept on this device. */
export function LeaveGuard({ when, isSending }: { when: boolean; isSending: boolean }) {
  useUnsavedInput(when, { question: isSending ? sending : writing, isInMemory: isSending });
  return null;
}
