import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { plural } from '../../../lib/format';
import { SectionError } from '../../../ui/loading/section-error';
import { Tag } from '../../../ui/tag';
import { useDefaultList, type ContactList } from './api';
import { ContactsPanel } from './contacts-panel';
import { messages } from './messages';

/** The contacts of the list that is shared with all users, for admins. */
export function DefaultList() {
  const { list, error, isFetching, refetch } = useDefaultList();
  if (error && !list)
    return <SectionError message={messages.listGone} pending={isFetching} onRetry={() => void refetch()} />;
  return list ? (
    <ContactsPanel list={list} renderHeader={(buttons) => <Header list={list} buttons={buttons} />} />
  ) : (
    <Skeleton variant="rounded" height={320} />
  );
}

function Header({ list, buttons }: { list: ContactList; buttons: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 1.5, flexWrap: 'wrap', alignItems: 'center', mb: 2 }}>
      <Box sx={{ flex: '1 1 280px', minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h2">{list.name}</Typography>
          <Tag accent>{plural(list.contactCount, 'contact')}</Tag>
        </Box>
        <Typography variant="body2" color="textSecondary">
          Shared with all users: everyone may send to it, only admins see who is on it.
        </Typography>
      </Box>
      {buttons}
    </Box>
  );
}
