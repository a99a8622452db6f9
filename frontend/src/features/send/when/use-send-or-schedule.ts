import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router-dom';
import { errorMessage, isApiError } from '../../../api/api-error';
import { formatDuration, plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { useToast } from '../../../ui/toast/toast';
import { useScheduleEmail, useSendEmail } from '../api';
import type { OpenedDraft } from '../drafts/opened-draft';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';
import type { When } from './when-choice';

const REDIRECT_MS = 1000;

/** Sends the email of the wizard, or schedules it. */
export function useSendOrSchedule(state: DraftState, scheduled: OpenedDraft['scheduled']) {
  const { draft, takeKey, forget } = state;
  const [phase, setPhase] = useState<'writing' | 'sending' | 'sent' | 'scheduled'>('writing');
  /** The send that waits for the sender's business address. */
  const [addressFor, setAddressFor] = useState<When | null>(null);
  const [failure, setFailure] = useState<{ text: string; isOutdated: boolean } | null>(null);
  const send = useSendEmail();
  const { create, change } = useScheduleEmail();
  const toast = useToast();
  const navigate = useNavigate();

  const { state: move } = useNavigation();
  /**
   * Whether the user followed a link of the page. The router's state shows this only after the next render, which may
   * be late.
   */
  const hasFollowedLink = useRef(false);
  // A user who is already leaving for another screen is not redirected.
  const showHistory = useEffectEvent(() => {
    if (move === 'idle' && !hasFollowedLink.current) void navigate(routes.history.path);
  });
  useEffect(() => {
    if (phase !== 'sent') return;
    const timer = setTimeout(() => showHistory(), REDIRECT_MS);
    const noteLink = (event: MouseEvent) => {
      const opensHere = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (opensHere && event.target instanceof Element && event.target.closest('a[href]:not([target])'))
        hasFollowedLink.current = true;
    };
    document.addEventListener('click', noteLink, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('click', noteLink, true);
    };
  }, [phase]);
  // Runs after the render that allows leaving the screen without a question.
  useEffect(() => {
    if (phase === 'scheduled') void navigate(routes.scheduled.path);
  }, [phase, navigate]);

  const deliver = async (when: When): Promise<void> => {
    const isNow = when.mode === 'now';
    setPhase('sending');
    setFailure(null);
    try {
      const sent = await state.holdSaves();
      if (!sent) {
        await state.resumeSaves();
        return setPhase('writing');
      }
      if (isNow) {
        const { message, recipientCount } = await send(draft, takeKey(), sent);
        forget();
        setPhase('sent');
        return toast({
          title: messages.sent,
          description: message || `On its way to ${plural(recipientCount, 'recipient')}.`,
          variant: 'success',
        });
      }
      const { message } = scheduled
        ? await change(scheduled, draft, when.time)
        : await create(draft, takeKey(), sent, when.time);
      forget();
      setPhase('scheduled');
      toast({ title: messages.scheduled, description: message, variant: 'success' });
    } catch (error) {
      const outcome = await state.resumeSaves(error);
      if (outcome === 'again') return deliver(when);
      setPhase('writing');
      // The dialog lets the user choose a version, so that an outdated text is not sent.
      if (outcome === 'conflict') return;
      const [title, fallback] = isNow
        ? [messages.failed, messages.failedText]
        : [messages.scheduleFailed, messages.scheduleFailedText];
      const description = errorMessage(error, fallback);
      if (isApiError(error) && error.code === 'sender_address_required') {
        setFailure({ text: `${title}: ${description}`, isOutdated: false });
        return setAddressFor(when);
      }
      setFailure({
        text: `${title}: ${description}${retryText(error)}`,
        isOutdated: isApiError(error) && error.code === 'version_conflict',
      });
      toast({ title, description, variant: 'destructive' });
    }
  };
  return {
    phase,
    failure,
    deliver,
    clearFailure: () => setFailure(null),
    /** The send that waits for the sender's business address; null if there is none. */
    addressFor,
    stopAsking: () => setAddressFor(null),
  };
}

/** Text that says when the server accepts the next attempt, if the server names a time. */
const retryText = (error: unknown) =>
  isApiError(error) && error.retryAfter ? ` You can try again in ${formatDuration(error.retryAfter)}.` : '';
