import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatDate, plural } from '../../../lib/format';
import { ActionMenu, type MenuAction } from '../../../ui/action-menu';
import { IconCheck, IconDelete, IconPause, IconPlay } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { Provider } from '../api';
import { Facts } from './drawer-section';
import type { ProviderAct } from './provider-acts';

interface ProviderCardProps {
  provider: Provider;
  onTest: () => void;
  onEdit: () => void;
  onAct: (act: ProviderAct) => void;
}

/** One mail account with its health; its secret is nowhere. */
export function ProviderCard({ provider, onTest, onEdit, onAct }: ProviderCardProps) {
  const { name, isDefault, isConfigured } = provider;
  const actions = actionsOf(provider, onAct);
  return (
    <Paper variant="outlined" component="article" aria-label={`Mail account ${name}`} sx={{ p: 2, display: 'flex', flexDirection: 'column', gap: 1.5 }}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          {isDefault && <Tag accent>Default</Tag>}
          <ProviderHealth provider={provider} />
        </Box>
        {actions.length > 0 && <ActionMenu label={`Actions for ${name}`} actions={actions} />}
      </Box>
      <Facts facts={factsOf(provider)} />
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mt: 'auto' }}>
        <Button size="small" variant="outlined" color="inherit" onClick={onTest} disabled={!isConfigured} aria-label={`Send test mail by ${name}`}>
          Send test mail
        </Button>
        <Button size="small" variant="outlined" color="inherit" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      </Box>
    </Paper>
  );
}

/** The default one can neither be switched off nor removed: another has to be made the default first. */
function actionsOf({ isDefault, isActive }: Provider, onAct: (act: ProviderAct) => void): MenuAction[] {
  if (isDefault) return [];
  return [
    ...(isActive ? [{ label: 'Make default', icon: IconCheck, onChoose: () => onAct('default') }] : []),
    isActive ? { label: 'Switch off', icon: IconPause, onChoose: () => onAct('off') } : { label: 'Switch on', icon: IconPlay, onChoose: () => onAct('on') },
    { label: 'Remove', icon: IconDelete, onChoose: () => onAct('remove'), destructive: true },
  ];
}

function factsOf({ config, apiKeyRef, isConfigured, lastOkAt, lastErrorAt, lastError, heldUntil }: Provider): [string, ReactNode][] {
  const pace = [config.messagesPerSecond && `${plural(config.messagesPerSecond, 'message')} a second`, config.messagesPerDay && `${plural(config.messagesPerDay, 'message')} a day`, config.connections && `${plural(config.connections, 'connection')} of a worker`].filter(Boolean);
  return [
    ['Kind', config.kind === 'direct' ? 'Direct, our own server' : 'Relay'],
    ['Server', config.host ? `${config.host}${config.port ? `:${config.port}` : ''}` : 'Named in its secret'],
    ...(config.user ? ([['User', config.user]] as [string, ReactNode][]) : []),
    ['Secret', isConfigured ? apiKeyRef : `${apiKeyRef} (not configured)`],
    ...(pace.length ? ([['Pace', pace.join(', ')]] as [string, ReactNode][]) : []),
    ...(config.warmUp ? ([['Warm-up', `from ${formatDate(`${config.warmUp}T12:00:00`)}`]] as [string, ReactNode][]) : []),
    ['Last accepted', lastOkAt ? <RelativeTime key="ok" iso={lastOkAt} /> : 'Not used yet'],
    ...(lastErrorAt ? ([['Last failure', <span key="fault"><RelativeTime iso={lastErrorAt} />{lastError && `: ${lastError}`}</span>]] as [string, ReactNode][]) : []),
    ...(heldUntil ? ([['Paused', <RelativeTime key="held" iso={heldUntil} prefix="tries again" />]] as [string, ReactNode][]) : []),
  ];
}

function ProviderHealth({ provider: { isActive, state } }: { provider: Provider }) {
  if (!isActive) return <StatusBadge status="skipped" word="Off" />;
  if (state === 'ok') return <StatusBadge status="confirmed" word="Healthy" />;
  return state === 'failing' ? <StatusBadge status="failed" word="Failing" /> : <StatusBadge status="queued" word="Not used yet" />;
}
