import { useUnsavedInput, type LeaveQuestion } from '../../../lib/unsaved-changes';

const writing: LeaveQuestion = {
  title: 'Leave this draft?',
  text: 'Nothing has been sent. The draft is in your Library.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};
const sending: LeaveQuestion = {
  title: 'Leave while it is being sent?',
  text: 'The server is taking your email at this moment, and leaving does not stop it. Stay to see whether it was accepted, or look into the history later.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};
const uploading: LeaveQuestion = {
  title: 'Leave while files are still uploading?',
  text: 'The uploads are cancelled. Everything else you wrote is in your Library.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};

const changing: LeaveQuestion = {
  title: 'Leave without saving?',
  text: 'The email stays scheduled as it was. Your changes to it are lost.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
};

/** Asks before the screen is left while the draft is not saved, files are uploaded or a send request is running. */
export function LeaveGuard({
  when,
  isSending,
  isUploading,
  isScheduled,
}: {
  when: boolean;
  isSending: boolean;
  isUploading: boolean;
  /** Whether a scheduled email is being changed. */
  isScheduled: boolean;
}) {
  useUnsavedInput(when, {
    question: isSending ? sending : isScheduled ? changing : isUploading ? uploading : writing,
    isInMemory: isSending || isUploading || isScheduled,
  });
  return null;
}
