import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { IconPlus } from '../../../ui/icons';
import { QueryError } from '../../../ui/query-error';
import { useMailSecrets, useProviders, type Provider } from '../api';
import { ProviderDialog } from '../forms/provider-dialog';
import { TestMailDialog } from '../forms/test-mail-dialog';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { useProviderActs } from './provider-acts';
import { ProviderCard } from './provider-card';
import { ProviderRates } from './provider-rates';

/** The mail accounts, how they fare, and which goes first. */
export function ProvidersTab() {
  const query = useProviders();
  const { data, error } = query;
  const { data: secrets } = useMailSecrets();
  const [act, setAct] = useState<Act | null>(null);
  const [asked, setAsked] = useState<{ dialog: 'add' } | { dialog: 'edit' | 'test'; provider: Provider } | null>(null);
  const actOn = useProviderActs();
  const close = () => setAsked(null);
  if (error && !data) return <QueryError query={query} text={messages.loadFailed} />;
  return (
    <>
      <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'flex-end', mb: 1.5 }}>
        {secrets?.length === 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 280px' }}>
            A further account needs its secret in the configuration first: a setting SMTP_URL_… (a whole address), or SMTP_PASSWORD_… with the server it belongs to in SMTP_HOST_…
          </Typography>
        )}
        <Button variant="contained" disabled={!secrets?.length} startIcon={<IconPlus size={16} aria-hidden />} onClick={() => setAsked({ dialog: 'add' })}>
          Add Account
        </Button>
      </Box>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}>
        {!data && <Skeleton variant="rounded" height={190} />}
        {data?.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            onTest={() => setAsked({ dialog: 'test', provider })}
            onEdit={() => setAsked({ dialog: 'edit', provider })}
            onAct={(name) => setAct(actOn(name, provider))}
          />
        ))}
      </Box>
      <ProviderRates />
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
      {asked?.dialog === 'add' && <ProviderDialog secrets={secrets ?? []} onClose={close} />}
      {asked?.dialog === 'edit' && <ProviderDialog provider={asked.provider} secrets={secrets ?? []} onClose={close} />}
      {asked?.dialog === 'test' && <TestMailDialog provider={asked.provider} onClose={close} />}
    </>
  );
}
