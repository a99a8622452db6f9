import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { editScheduledPath, historyEntryPath, sendDraftPath } from '../../lib/routes';
import { ActionMenu, type MenuAction } from '../../ui/action-menu';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { IconClock, IconCopy, IconEdit, IconSend, IconShow, IconStop } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { isOpen, messages, peopleText, timeText, type ScheduledItem } from './api';
import { ChangeTimeDialog } from './change-time-dialog';

/** Actions on a scheduled email, with their dialogs. */
export function ScheduledActions({ item }: { item: ScheduledItem }) {
  const [dialog, setDialog] = useState<'time' | 'now' | 'cancel' | null>(null);
  const navigate = useNavigate();
  const duplicate = useDuplicate(item.id);
  const close = () => setDialog(null);
  const mayChange = item.state === 'scheduled' || item.state === 'blocked';
  const actions: MenuAction[] = [
    ...(item.historyId
      ? [
          {
            label: 'Open the send',
            icon: IconShow,
            onChoose: () => void navigate(historyEntryPath(item.historyId ?? '')),
          },
        ]
      : []),
    ...(mayChange
      ? [
          { label: 'Edit', icon: IconEdit, onChoose: () => void navigate(editScheduledPath(item.id)) },
          { label: 'Change time', icon: IconClock, onChoose: () => setDialog('time') },
          { label: 'Send now', icon: IconSend, onChoose: () => setDialog('now') },
        ]
      : []),
    { label: 'Duplicate', icon: IconCopy, onChoose: () => void duplicate() },
    ...(isOpen(item)
      ? [{ label: 'Cancel', icon: IconStop, onChoose: () => setDialog('cancel'), destructive: true }]
      : []),
  ];
  return (
    <>
      <ActionMenu label={`Actions for ${item.subject}`} actions={actions} />
      {dialog === 'time' && <ChangeTimeDialog item={item} onClose={close} />}
      {dialog === 'now' && <SendNowDialog item={item} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog item={item} onClose={close} />}
    </>
  );
}

interface DialogProps {
  item: ScheduledItem;
  onClose: () => void;
}

function CancelDialog({ item, onClose }: DialogProps) {
  const [cancel, { isLoading }] = client.useCancelScheduledMutation();
  const toast = useToast();
  return (
    <ActionDialog
      title="Cancel this email?"
      confirmLabel="Cancel Email"
      destructive
      pending={isLoading}
      act={async () => {
        await cancel({ id: item.id }).unwrap();
        toast({ title: messages.cancelled, description: messages.cancelledText, variant: 'success' });
      }}
      onClose={onClose}
    >
      {`"${item.subject}" was to leave ${timeText(item)} to about ${peopleText(item)}. Nothing will be sent. The text is kept for 30 days.`}
    </ActionDialog>
  );
}

function SendNowDialog({ item, onClose }: DialogProps) {
  const [send, { isLoading }] = client.useSendScheduledNowMutation();
  const toast = useToast();
  return (
    <ActionDialog
      title="Send this email now?"
      confirmLabel="Send Now"
      pending={isLoading}
      act={async () => {
        const { message } = await send({ id: item.id }).unwrap();
        toast({ title: messages.sent, description: message, variant: 'success' });
      }}
      onClose={onClose}
    >
      {`"${item.subject}" goes to about ${peopleText(item)} at once, and not at ${timeText(item)}.`}
    </ActionDialog>
  );
}

interface ActionDialogProps {
  title: string;
  confirmLabel: string;
  destructive?: boolean;
  pending: boolean;
  act: () => Promise<void>;
  onClose: () => void;
  children: string;
}

/** Asks before an action, and stays open with the reason when it fails. */
function ActionDialog({ act, onClose, ...dialog }: ActionDialogProps) {
  const [error, setError] = useState<string>();
  const confirm = async () => {
    try {
      await act();
      onClose();
    } catch (fault) {
      setError(errorMessage(fault, messages.failedText));
    }
  };
  return (
    <ConfirmDialog
      open
      cancelLabel="Keep It"
      error={error}
      onConfirm={() => void confirm()}
      onCancel={onClose}
      {...dialog}
    />
  );
}

/** Creates a draft with the content of a scheduled email. */
function useDuplicate(id: string) {
  const [read] = client.useLazyGetScheduledQuery();
  const [create] = client.useCreateDraftMutation();
  const navigate = useNavigate();
  const toast = useToast();
  return async () => {
    try {
      const { send } = await read({ id }).unwrap();
      const { draftId: _draft, draftVersion: _version, ...written } = send;
      const draft = await create({ createDraftDto: { ...written, step: 1 } }).unwrap();
      void navigate(sendDraftPath(draft.id));
    } catch (error) {
      toast({
        title: messages.failed,
        description: errorMessage(error, messages.failedText),
        variant: 'destructive',
      });
    }
  };
}
