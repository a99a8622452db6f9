import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { plural } from '../../../lib/format';
import { isReady, listPath } from '../../../lib/routes';
import { ActionMenu } from '../../../ui/action-menu';
import { IconDelete, IconEdit, IconShare } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { Tag } from '../../../ui/tag';
import type { EmailList } from '../api';
import { ListDialog } from '../forms/list-dialog';
import { DeleteListDialog } from './delete-list-dialog';
import { ShareListDialog } from './share-list-dialog';

type Asked = 'edit' | 'share' | 'delete' | null;

/** One list: a click anywhere opens it, the dots hold the rest. */
export function ListCard({ list }: { list: EmailList }) {
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const actions = [
    { label: 'Edit', icon: IconEdit, onChoose: () => setAsked('edit') },
    ...(isReady('subscribeList') && !list.isDefault ? [{ label: 'Share', icon: IconShare, onChoose: () => setAsked('share') }] : []),
    ...(list.isDefault ? [] : [{ label: 'Delete', icon: IconDelete, onChoose: () => setAsked('delete'), destructive: true }]),
  ];
  return (
    <Paper
      variant="outlined"
      component="article"
      sx={{ position: 'relative', p: 2.25, display: 'flex', flexDirection: 'column', minHeight: 148, transition: 'border-color 120ms', '&:hover': { borderColor: 'surface.edge' } }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Typography component="h2" variant="h3" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <Link component={RouterLink} to={listPath(list.id)} color="inherit" underline="none" sx={{ fontWeight: 'inherit', color: 'text.primary', '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 3 }, '&:focus-visible': { outline: 'none' }, '&:focus-visible::after': { outline: '2px solid', outlineColor: 'primary.main' } }}>
            {list.name}
          </Link>
        </Typography>
        <Box sx={{ position: 'relative', zIndex: 1, mt: '-4px', mr: '-6px' }}>
          <ActionMenu label={`Actions for ${list.name}`} actions={actions} />
        </Box>
      </Box>
      <Typography color="textSecondary" sx={{ mt: 0.5, display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden', overflowWrap: 'anywhere' }}>
        {list.description || 'No description'}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 'auto', pt: 2, flexWrap: 'wrap' }}>
        <Tag accent={list.contactCount > 0}>{plural(list.contactCount, 'contact')}</Tag>
        {list.isDefault && <Tag>Shared by everyone</Tag>}
        <Typography variant="caption" color="textSecondary" sx={{ ml: 'auto', position: 'relative', zIndex: 1 }}>
          <RelativeTime iso={list.updatedAt} prefix="Updated" />
        </Typography>
      </Box>
      {asked === 'edit' && <ListDialog open list={list} onClose={close} />}
      {asked === 'share' && <ShareListDialog open list={list} onClose={close} />}
      {asked === 'delete' && <DeleteListDialog open list={list} onClose={close} />}
    </Paper>
  );
}
