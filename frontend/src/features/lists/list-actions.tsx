import { useState } from 'react';
import { ActionMenu } from '../../ui/action-menu';
import { IconDelete, IconEdit, IconShare } from '../../ui/icons';
import type { EmailList } from './api';
import { DeleteListDialog } from './delete-list-dialog';
import { ListDialog } from './list-dialog';
import { ShareListDialog } from './share-list-dialog';

/** The menu to edit, share and delete a list, with its dialogs. The default list can only be edited. */
export function ListActions({ list, onDeleted }: { list: EmailList; onDeleted?: () => void }) {
  const [dialog, setDialog] = useState<'edit' | 'share' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const actions = [
    { label: 'Edit', icon: IconEdit, onChoose: () => setDialog('edit') },
    ...(list.isDefault
      ? []
      : [
          { label: 'Share', icon: IconShare, onChoose: () => setDialog('share') },
          { label: 'Delete', icon: IconDelete, onChoose: () => setDialog('delete'), destructive: true },
        ]),
  ];
  return (
    <>
      <ActionMenu label={`Actions for ${list.name}`} actions={actions} />
      {dialog === 'edit' && <ListDialog open list={list} onClose={close} />}
      {dialog === 'share' && <ShareListDialog open list={list} onClose={close} />}
      {dialog === 'delete' && <DeleteListDialog open list={list} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}
