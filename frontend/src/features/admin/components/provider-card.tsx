import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { Provider } from '../api';
import { Facts } from './drawer-section';

export type ProviderAct = 'default' | 'on' | 'off' | 'test';

/** One mail account with its health; its secret is nowhere. */
export function ProviderCard({ provider, onAct }: { provider: Provider; onAct: (act: ProviderAct, provider: Provider) => void }) {
  const { name, config, isDefault, isActive, isConfigured } = provider;
  const act = (what: ProviderAct) => () => onAct(what, provider);
  return (
    <Paper variant="outlined" component="article" aria-label={`Mail account ${name}`} sx={{ p: 2, display: 'grid', gap: 1.5, alignContent: 'start' }}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        {isDefault && <Tag accent>Default</Tag>}
        <ProviderHealth provider={provider} />
      </Box>
      <Facts
        facts={[
          ['Server', config.host ? `${config.host}${config.port ? `:${config.port}` : ''}` : '—'],
          ['Secret', isConfigured ? provider.apiKeyRef : `${provider.apiKeyRef} (not configured)`],
          ['Last accepted', provider.lastOkAt ? <RelativeTime iso={provider.lastOkAt} /> : 'Not used yet'],
          ...(provider.lastErrorAt ? ([['Last failure', <><RelativeTime iso={provider.lastErrorAt} />{provider.lastError && `: ${provider.lastError}`}</>]] as const) : []),
          ...(provider.heldUntil ? ([['Paused', <RelativeTime key="held" iso={provider.heldUntil} prefix="tries again" />]] as const) : []),
        ]}
      />
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button size="small" variant="outlined" color="inherit" onClick={act('test')} disabled={!isConfigured}>
          Send test mail
        </Button>
        {!isDefault && isActive && (
          <Button size="small" variant="outlined" color="inherit" onClick={act('default')}>
            Make default
          </Button>
        )}
        {!isDefault && (
          <Button size="small" variant="outlined" color={isActive ? 'error' : 'inherit'} onClick={act(isActive ? 'off' : 'on')}>
            {isActive ? 'Switch off' : 'Switch on'}
          </Button>
        )}
      </Box>
    </Paper>
  );
}

function ProviderHealth({ provider: { isActive, state } }: { provider: Provider }) {
  if (!isActive) return <StatusBadge status="skipped" word="Off" />;
  if (state === 'ok') return <StatusBadge status="confirmed" word="Healthy" />;
  return state === 'failing' ? <StatusBadge status="failed" word="Failing" /> : <StatusBadge status="queued" word="Not used yet" />;
}
