import { useChangeProvider, useRemoveProvider, type Provider } from '../api';
import { messages } from '../messages';
import type { Act } from './act-dialog';

export type ProviderAct = 'default' | 'on' | 'off' | 'remove';

/** What is asked before something is done to a mail account. */
export function useProviderActs(): (name: ProviderAct, provider: Provider) => Act {
  const change = useChangeProvider();
  const remove = useRemoveProvider();
  return (act, { id, name }) => {
    const changed = { done: messages.providerChanged, doneText: name, failed: messages.providerFailed };
    switch (act) {
      case 'default':
        return { ...changed, title: 'Make default', text: `Send by "${name}" first from now on? The others stand in when it fails.`, confirmLabel: 'Make default', run: (reason) => change(id, { isDefault: true, reason }) };
      case 'on':
        return { ...changed, title: 'Switch on', text: `Let mail go out by "${name}"?`, confirmLabel: 'Switch on', run: (reason) => change(id, { isActive: true, reason }) };
      case 'off':
        return { ...changed, title: 'Switch off', text: `Send nothing by "${name}" any more? What it has taken already still arrives.`, confirmLabel: 'Switch off', destructive: true, run: (reason) => change(id, { isActive: false, reason }) };
      case 'remove':
        return {
          title: 'Remove mail account', text: `Remove "${name}"? Nothing goes out by it any more; the record of what it sent stays. Its secret stays in the configuration.`, confirmLabel: 'Remove', destructive: true,
          run: (reason) => remove(id, reason), done: messages.providerRemoved, doneText: name, failed: messages.providerRemoveFailed,
        };
    }
  };
}
