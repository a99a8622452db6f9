import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useState } from 'react';
import { QueryError } from '../../../ui/query-error';
import { useChangeProvider, useProviders, type Provider } from '../api';
import { TestMailDialog } from '../forms/test-mail-dialog';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { ProviderCard, type ProviderAct } from './provider-card';

/** The mail accounts, how they fare, and which goes first. */
export function ProvidersTab() {
  const query = useProviders();
  const { data, error } = query;
  const [act, setAct] = useState<Act | null>(null);
  const [tested, setTested] = useState<Provider | null>(null);
  const change = useChangeProvider();
  const choose = (name: ProviderAct, provider: Provider) => {
    if (name === 'test') return setTested(provider);
    const done = { done: messages.providerChanged, doneText: provider.name, failed: messages.providerFailed };
    if (name === 'default') {
      setAct({ ...done, title: 'Make default', text: `Send by "${provider.name}" first from now on? The others stand in when it fails.`, confirmLabel: 'Make default', run: () => change(provider.id, { isDefault: true }) });
    } else if (name === 'on') {
      setAct({ ...done, title: 'Switch on', text: `Let mail go out by "${provider.name}"?`, confirmLabel: 'Switch on', run: () => change(provider.id, { isActive: true }) });
    } else {
      setAct({ ...done, title: 'Switch off', text: `Send nothing by "${provider.name}" any more? What it has taken already still arrives.`, confirmLabel: 'Switch off', destructive: true, run: () => change(provider.id, { isActive: false }) });
    }
  };
  if (error && !data) return <QueryError query={query} text={messages.loadFailed} />;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}>
      {!data && <Skeleton variant="rounded" height={190} />}
      {data?.map((provider) => <ProviderCard key={provider.id} provider={provider} onAct={choose} />)}
      {act && <ActDialog act={act} hasReason={false} onClose={() => setAct(null)} />}
      {tested && <TestMailDialog provider={tested} onClose={() => setTested(null)} />}
    </Box>
  );
}
