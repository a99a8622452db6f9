import Button from '@mui/material/Button';
import { useState } from 'react';
import { client } from '../../../api/client';
import type { ProfileFilter } from '../../../api/endpoints.gen';
import { segmentPath } from '../../../lib/routes';
import { IconFilter } from '../../../ui/icons';
import { NameDialog } from '../../../ui/dialog/name-dialog';
import { useToast } from '../../../ui/toast/toast';
import { filterOfContacts } from './filter-of-contacts';
import { messages } from './messages';
import { useGuardedNavigate } from './use-guarded-navigate';

/** Saves the contacts page's search and filters as a segment, and opens it. */
export function SaveAsSegment({ filter }: { filter: ProfileFilter }) {
  const [isOpen, setOpen] = useState(false);
  const [create] = client.useCreateSegmentMutation();
  const leave = useGuardedNavigate(!isOpen);
  const toast = useToast();
  const save = async (name: string) => {
    const stored = filterOfContacts(filter) as unknown as Record<string, unknown>;
    const { id } = await create({ createSegmentDto: { name, filter: stored } }).unwrap();
    toast({ title: messages.saved, description: name, variant: 'success' });
    leave(segmentPath(id));
  };
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconFilter size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Save as segment
      </Button>
      {isOpen && (
        <NameDialog title="Save as segment" submitLabel="Save" name="" onSubmit={save} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
