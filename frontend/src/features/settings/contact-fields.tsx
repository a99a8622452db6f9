import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../api/client';
import type { ContactFieldDto } from '../../api/endpoints.gen';
import { plural } from '../../lib/format';
import { ActionMenu } from '../../ui/action-menu';
import { DeleteDialog } from '../../ui/dialog/delete-dialog';
import { IconArrowDown, IconArrowUp, IconDelete, IconEdit } from '../../ui/icons';
import { QueryError } from '../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../ui/loading/skeletons';
import { NameDialog } from '../../ui/dialog/name-dialog';
import { Tag } from '../../ui/tag';
import { FieldDialog, typeLabels } from '../../shared/field-dialog';
import { messages } from './messages';
import { groupRow, SettingsGroup } from './settings-group';

/** The fields that the account added to its contacts, in their order. */
export function ContactFields() {
  const fields = client.useListContactFieldsQuery();
  const [isAdding, setAdding] = useState(false);
  if (fields.error && !fields.data) return <QueryError query={fields} text={messages.fieldsFailed} />;
  if (!fields.data) {
    return (
      <LoadingRegion label="Loading fields">
        <RowSkeletons count={2} height={48} />
      </LoadingRegion>
    );
  }
  const count = fields.data.length;
  return (
    <>
      <SettingsGroup title="Fields" empty="No fields of your own yet." add="Add field" onAdd={() => setAdding(true)}>
        {fields.data.map((field, index) => (
          <FieldRow key={field.id} field={field} place={index + 1} isLast={index + 1 === count} />
        ))}
      </SettingsGroup>
      {isAdding && <FieldDialog onClose={() => setAdding(false)} />}
    </>
  );
}

interface FieldRowProps {
  field: ContactFieldDto;
  /** Position in the list, counted from 1 without gaps; `position` has gaps where fields were deleted. */
  place: number;
  isLast: boolean;
}

function FieldRow({ field, place, isLast }: FieldRowProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const [update] = client.useUpdateContactFieldMutation();
  const [remove] = client.useDeleteContactFieldMutation();
  const { data: usage } = client.useGetContactFieldUsageQuery({ id: field.id }, { skip: dialog !== 'delete' });
  const close = () => setDialog(null);
  const move = (by: 1 | -1) => void update({ id: field.id, updateContactFieldDto: { position: place + by } });
  const actions = [
    { label: 'Rename', icon: IconEdit, onChoose: () => setDialog('rename') },
    ...(place > 1 ? [{ label: 'Move up', icon: IconArrowUp, onChoose: () => move(-1) }] : []),
    ...(isLast ? [] : [{ label: 'Move down', icon: IconArrowDown, onChoose: () => move(1) }]),
    { label: 'Delete', icon: IconDelete, onChoose: () => setDialog('delete'), destructive: true },
  ];
  return (
    <Box component="li" sx={groupRow}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {field.label}
        <Typography
          variant="mono"
          component="span"
          color="textSecondary"
          sx={{ display: 'block', fontSize: '0.75rem' }}
        >
          {field.key}
        </Typography>
      </Box>
      <Tag>{typeLabels[field.type]}</Tag>
      <ActionMenu label={`Actions for ${field.label}`} actions={actions} />
      {dialog === 'rename' && (
        <NameDialog
          title="Rename field"
          submitLabel="Rename"
          name={field.label}
          onSubmit={async (label) => void (await update({ id: field.id, updateContactFieldDto: { label } }).unwrap())}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          title={`Delete "${field.label}"?`}
          onDelete={() => remove({ id: field.id }).unwrap()}
          onClose={close}
        >
          {deletionText(field.label, usage?.contacts)}
        </DeleteDialog>
      )}
    </Box>
  );
}

/** Text with the number of values that are deleted with the field; `count` is undefined until it is known. */
function deletionText(label: string, count: number | undefined): string {
  const values =
    count === undefined
      ? `Deleting "${label}" removes its values.`
      : `"${label}" holds ${plural(count, 'value')}. Deleting removes ${count === 1 ? 'it' : 'them'}.`;
  return `${values} This action cannot be undone.`;
}
