import { client } from '../../../api/client';
import type { MailAccount } from '../api';
import type { AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';

export type MailAccountAction = 'default' | 'on' | 'off' | 'remove';

/** The confirmation of each action on a mail account. */
export function useMailAccountActions(): (name: MailAccountAction, account: MailAccount) => AdminAction {
  const [change] = client.useChangeProviderMutation();
  const [remove] = client.useRemoveProviderMutation();
  return (action, { id, name }) => {
    const changed = { done: messages.providerChanged, doneText: name, failed: messages.providerFailed };
    switch (action) {
      case 'default':
        return {
          ...changed,
          title: 'Make default',
          text: `Send by "${name}" first from now on? The others take over when it fails.`,
          confirmLabel: 'Make default',
          run: (reason) => change({ id, changeProviderDto: { isDefault: true, reason } }).unwrap(),
        };
      case 'on':
        return {
          ...changed,
          title: 'Switch on',
          text: `Let mail go out by "${name}"?`,
          confirmLabel: 'Switch on',
          run: (reason) => change({ id, changeProviderDto: { isActive: true, reason } }).unwrap(),
        };
      case 'off':
        return {
          ...changed,
          title: 'Switch off',
          text: `Send nothing by "${name}" any more? Messages that it has accepted still arrive.`,
          confirmLabel: 'Switch off',
          destructive: true,
          run: (reason) => change({ id, changeProviderDto: { isActive: false, reason } }).unwrap(),
        };
      case 'remove':
        return {
          title: 'Remove mail account',
          text: `Remove "${name}"? It sends nothing any more; the record of what it sent stays. Its secret stays in the configuration.`,
          confirmLabel: 'Remove',
          destructive: true,
          run: (reason) => remove({ id, reasonDto: { reason } }).unwrap(),
          done: messages.providerRemoved,
          doneText: name,
          failed: messages.providerRemoveFailed,
        };
    }
  };
}
