import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { formatDate, plural } from '../../../lib/format';
import { ActionMenu, type MenuAction } from '../../../ui/action-menu';
import { Facts, type Fact } from '../../../ui/facts';
import { IconCheck, IconDelete, IconPause, IconPlay } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { Tag } from '../../../ui/tag';
import type { MailAccount } from '../api';
import type { MailAccountAction } from './mail-account-actions';

interface MailAccountCardProps {
  account: MailAccount;
  onTest: () => void;
  onEdit: () => void;
  onAction: (action: MailAccountAction) => void;
}

/** One mail account with its configuration and health. The API does not return the account's secret. */
export function MailAccountCard({ account, onTest, onEdit, onAction }: MailAccountCardProps) {
  const { name, isDefault, isConfigured } = account;
  const actions = actionsOf(account, onAction);
  return (
    <Paper
      variant="outlined"
      component="article"
      aria-label={`Mail account ${name}`}
      sx={{ p: 2, display: 'flex', flexDirection: 'column', gap: 1.5 }}
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Typography>
          {isDefault && <Tag accent>Default</Tag>}
          <Health account={account} />
        </Box>
        {actions.length > 0 && <ActionMenu label={`Actions for ${name}`} actions={actions} />}
      </Box>
      <Facts facts={factsOf(account)} />
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mt: 'auto' }}>
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          onClick={onTest}
          disabled={!isConfigured}
          aria-label={`Send test mail by ${name}`}
        >
          Send test mail
        </Button>
        <Button size="small" variant="outlined" color="inherit" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
      </Box>
    </Paper>
  );
}

/** The default account cannot be switched off or removed before another is made the default. */
function actionsOf({ isDefault, isActive }: MailAccount, onAction: (action: MailAccountAction) => void): MenuAction[] {
  if (isDefault) return [];
  return [
    ...(isActive ? [{ label: 'Make default', icon: IconCheck, onChoose: () => onAction('default') }] : []),
    isActive
      ? { label: 'Switch off', icon: IconPause, onChoose: () => onAction('off') }
      : { label: 'Switch on', icon: IconPlay, onChoose: () => onAction('on') },
    { label: 'Remove', icon: IconDelete, onChoose: () => onAction('remove'), destructive: true },
  ];
}

function factsOf({
  config,
  apiKeyRef,
  isConfigured,
  lastOkAt,
  lastErrorAt,
  lastError,
  heldUntil,
}: MailAccount): Fact[] {
  const limits = [
    config.messagesPerSecond && `${plural(config.messagesPerSecond, 'message')} a second`,
    config.messagesPerDay && `${plural(config.messagesPerDay, 'message')} a day`,
    config.connections && `${plural(config.connections, 'connection')} of a worker`,
  ].filter(Boolean);
  const facts: (Fact | false)[] = [
    ['Kind', config.kind === 'direct' ? 'Direct, our own server' : 'Relay'],
    ['Server', config.host ? `${config.host}${config.port ? `:${config.port}` : ''}` : 'Named in its secret'],
    Boolean(config.user) && ['User', config.user],
    ['Secret', isConfigured ? apiKeyRef : `${apiKeyRef} (not configured)`],
    limits.length > 0 && ['Pace', limits.join(', ')],
    Boolean(config.warmUp) && ['Warm-up', `from ${formatDate(`${config.warmUp}T12:00:00`)}`],
    ['Last accepted', lastOkAt ? <RelativeTime key="ok" iso={lastOkAt} /> : 'Not used yet'],
    Boolean(lastErrorAt) && [
      'Last failure',
      <span key="fault">
        <RelativeTime iso={lastErrorAt ?? ''} />
        {lastError && `: ${lastError}`}
      </span>,
    ],
    Boolean(heldUntil) && ['Paused', <RelativeTime key="held" iso={heldUntil ?? ''} prefix="tries again" />],
  ];
  return facts.filter((fact) => fact !== false);
}

function Health({ account: { isActive, state } }: { account: MailAccount }) {
  if (!isActive) return <StatusBadge status="skipped" word="Off" />;
  if (state === 'ok') return <StatusBadge status="confirmed" word="Healthy" />;
  return state === 'failing' ? (
    <StatusBadge status="failed" word="Failing" />
  ) : (
    <StatusBadge status="queued" word="Not used yet" />
  );
}
