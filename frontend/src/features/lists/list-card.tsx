import Typography from '@mui/material/Typography';
import { plural } from '../../lib/format';
import { listPath } from '../../lib/routes';
import { LinkedCard } from '../../ui/linked-card';
import { RelativeTime } from '../../ui/relative-time';
import { Tag } from '../../ui/tag';
import type { EmailList } from './api';
import { ListActions } from './list-actions';

/** One list. A click anywhere on the card opens it. */
export function ListCard({ list }: { list: EmailList }) {
  return (
    <LinkedCard
      title={list.name}
      to={listPath(list.id)}
      text={list.description || 'No description'}
      foot={
        <>
          <Tag accent={list.contactCount > 0}>{plural(list.contactCount, 'contact')}</Tag>
          {list.isDefault && <Tag>Shared by everyone</Tag>}
          <Typography variant="caption" color="textSecondary" sx={{ ml: 'auto', position: 'relative', zIndex: 1 }}>
            <RelativeTime iso={list.updatedAt} prefix="Updated" />
          </Typography>
        </>
      }
      menu={<ListActions list={list} />}
    />
  );
}
