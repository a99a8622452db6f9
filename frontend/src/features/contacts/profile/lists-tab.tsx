import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { client } from '../../../api/client';
import { useCurrentUser } from '../../../api/session';
import { listPath } from '../../../lib/routes';
import { contactTypeFor, contactTypeLabel } from '../../../shared/contact';
import { IconLists, IconPlus } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { StatusBadge } from '../../../ui/status-badge';
import { useToast } from '../../../ui/toast/toast';
import { messages, useOwnLists, type Membership, type ProfileDetail } from '../api';

/** The lists that the person is on, with the status on each, then the account's other lists. */
export function ListsTab({ profile }: { profile: ProfileDetail }) {
  const { lists: own, limitHint } = useOwnLists();
  const joinedIds = new Set(profile.lists.map(({ id }) => id));
  const others = own.filter(({ id }) => !joinedIds.has(id));
  if (profile.lists.length === 0 && others.length === 0)
    return <EmptyState icon={IconLists} title="You have no lists yet" />;
  return (
    <>
      <Paper variant="outlined" component="ul" aria-label="Lists" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {profile.lists.map((list) => (
          <JoinedList key={list.id} list={list} />
        ))}
        {others.map((list) => (
          <OtherList key={list.id} profile={profile} list={list} />
        ))}
      </Paper>
      {limitHint && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {limitHint}
        </Typography>
      )}
    </>
  );
}

function JoinedList({ list }: { list: Membership }) {
  const [remove] = client.useDeleteContactMutation();
  const [isPending, run] = useListChange();
  return (
    <Row name={list.name} to={listPath(list.id)} text={contactTypeLabel[list.subscriptionType]}>
      <StatusBadge status={list.status} />
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        loading={isPending}
        aria-label={`Remove from ${list.name}`}
        onClick={() =>
          void run(() => remove({ id: list.id, contactId: list.membershipId }).unwrap(), `Removed from ${list.name}`)
        }
      >
        Remove
      </Button>
    </Row>
  );
}

function OtherList({ profile, list }: { profile: ProfileDetail; list: { id: string; name: string } }) {
  const { role } = useCurrentUser();
  const [add] = client.useAddContactMutation();
  const [isPending, run] = useListChange();
  return (
    <Row name={list.name} to={listPath(list.id)} text="Not on it">
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        startIcon={<IconPlus size={14} aria-hidden />}
        loading={isPending}
        loadingPosition="start"
        aria-label={`Add to ${list.name}`}
        onClick={() =>
          void run(
            () =>
              add({
                id: list.id,
                addContactDto: { email: profile.email, subscriptionType: contactTypeFor(role) },
              }).unwrap(),
            `Added to ${list.name}`,
          )
        }
      >
        Add
      </Button>
    </Row>
  );
}

/** Carries out a change and reports the result. */
function useListChange(): [isPending: boolean, run: (change: () => Promise<unknown>, done: string) => Promise<void>] {
  const [isPending, setPending] = useState(false);
  const toast = useToast();
  const run = async (change: () => Promise<unknown>, done: string) => {
    setPending(true);
    try {
      await change();
      toast({ title: done, variant: 'success' });
    } catch (error) {
      toast({
        title: messages.listFailed,
        description: errorMessage(error, messages.tryAgain),
        variant: 'destructive',
      });
    } finally {
      setPending(false);
    }
  };
  return [isPending, run];
}

function Row({ name, to, text, children }: { name: string; to: string; text: string; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 1.5,
        alignItems: 'center',
        flexWrap: 'wrap',
        p: 1.75,
        '& + li': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: '1 1 12rem', minWidth: 0 }}>
        <Link
          component={RouterLink}
          to={to}
          color="inherit"
          underline="hover"
          sx={{ fontWeight: 560, overflowWrap: 'anywhere' }}
        >
          {name}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {text}
        </Typography>
      </Box>
      {children}
    </Box>
  );
}
