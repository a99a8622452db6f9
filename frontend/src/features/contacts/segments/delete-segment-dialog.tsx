import { client } from '../../../api/client';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { useToast } from '../../../ui/toast/toast';
import { messages } from './messages';

interface DeleteSegmentDialogProps {
  segment: Pick<SegmentDto, 'id' | 'name'>;
  onClose: () => void;
  onDeleted?: () => void;
}

/** Asks before a segment is deleted. Its people stay. */
export function DeleteSegmentDialog({ segment: { id, name }, onClose, onDeleted }: DeleteSegmentDialogProps) {
  const [remove] = client.useDeleteSegmentMutation();
  const toast = useToast();
  return (
    <DeleteDialog
      title={`Delete "${name}"?`}
      onClose={onClose}
      onDelete={async () => {
        await remove({ id }).unwrap();
        toast({ title: messages.deleted, description: name, variant: 'success' });
        onDeleted?.();
      }}
    >
      The saved filter is deleted. Its contacts stay. This action cannot be undone.
    </DeleteDialog>
  );
}
