import Typography from '@mui/material/Typography';
import { useNavigate } from 'react-router-dom';
import { client } from '../../../api/client';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { formatAgo, plural } from '../../../lib/format';
import { contactsOfSegmentPath, segmentPath } from '../../../lib/routes';
import { ActionMenu } from '../../../ui/action-menu';
import { IconDelete, IconEdit, IconUsers } from '../../../ui/icons';
import { LinkedCard } from '../../../ui/linked-card';
import { Tag } from '../../../ui/tag';
import { useCountSlot } from './count-queue';
import type { StoredFilter, Terms } from './filter';
import { describeFilter } from './filter-description';

interface SegmentCardProps {
  segment: SegmentDto;
  terms: Terms;
  onDelete: () => void;
}

/** A segment in words, with the number of its people. */
export function SegmentCard({ segment, terms, onDelete }: SegmentCardProps) {
  const { id, name, filter, broken, lastCount, lastUsedAt } = segment;
  const navigate = useNavigate();
  return (
    <LinkedCard
      title={name}
      to={segmentPath(id)}
      text={broken ?? describeFilter(filter as unknown as StoredFilter, terms)}
      foot={
        <>
          {broken ? <Tag>Needs correction</Tag> : <CurrentCount id={id} lastCount={lastCount} />}
          <Typography variant="caption" color="textSecondary" sx={{ ml: 'auto' }}>
            {lastUsedAt ? `last used ${formatAgo(lastUsedAt)}` : 'not used yet'}
          </Typography>
        </>
      }
      menu={
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            { label: 'Edit', icon: IconEdit, onChoose: () => void navigate(segmentPath(id)) },
            ...(broken
              ? []
              : [
                  { label: 'Show contacts', icon: IconUsers, onChoose: () => void navigate(contactsOfSegmentPath(id)) },
                ]),
            { label: 'Delete', icon: IconDelete, onChoose: onDelete, destructive: true },
          ]}
        />
      }
    />
  );
}

const CountTag = ({ count, about }: { count: number | null; about?: boolean }) => (
  <Tag accent>{count === null ? '… contacts' : `${about ? 'about ' : ''}${plural(count, 'contact')}`}</Tag>
);

/** The current number of people. Until the queue reaches this card, the last number is shown. */
function CurrentCount({ id, lastCount }: { id: string; lastCount: number | null }) {
  const hasSlot = useCountSlot();
  const { data } = client.useCountSegmentQuery({ countRequestDto: { segmentId: id } }, { skip: !hasSlot });
  return <CountTag count={data?.count ?? lastCount} about={data?.approximate} />;
}
