import Button from '@mui/material/Button';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { contactsOfSegmentPath, sendToSegmentPath } from '../../../lib/routes';
import { ActionMenu, type MenuAction } from '../../../ui/action-menu';
import { IconCopy, IconDelete, IconDownload, IconSend, IconUsers } from '../../../ui/icons';

interface SegmentActionsProps {
  segment?: SegmentDto;
  /** Whether the rules on the screen differ from the saved ones. */
  isChanged: boolean;
  isSaving: boolean;
  onSave: () => void;
  onCopy: () => void;
  onDelete: () => void;
}

const exportUrl = (id: string) => `/api/segments/${encodeURIComponent(id)}/export`;

/**
 * Actions on a segment. Showing, exporting and mailing its people use the saved rules, so they are unavailable while
 * there are unsaved changes.
 */
export function SegmentActions({ segment, isChanged, isSaving, onSave, onCopy, onDelete }: SegmentActionsProps) {
  const navigate = useNavigate();
  const isUsable = segment && !isChanged && !segment.broken;
  const actions: MenuAction[] = segment
    ? [
        { label: 'Save as new', icon: IconCopy, onChoose: onCopy },
        ...(isUsable
          ? [
              {
                label: 'Show contacts',
                icon: IconUsers,
                onChoose: () => void navigate(contactsOfSegmentPath(segment.id)),
              },
            ]
          : []),
        { label: 'Delete', icon: IconDelete, onChoose: onDelete, destructive: true },
      ]
    : [];
  return (
    <>
      {isUsable && (
        <>
          <Button
            component="a"
            href={exportUrl(segment.id)}
            download
            variant="outlined"
            color="inherit"
            startIcon={<IconDownload size={17} aria-hidden />}
          >
            Export CSV
          </Button>
          <Button
            component={RouterLink}
            to={sendToSegmentPath(segment.id)}
            variant="outlined"
            color="inherit"
            startIcon={<IconSend size={17} aria-hidden />}
          >
            Send to this segment
          </Button>
        </>
      )}
      <Button variant="contained" onClick={onSave} loading={isSaving} disabled={Boolean(segment) && !isChanged}>
        Save
      </Button>
      {segment && <ActionMenu label={`Actions for ${segment.name}`} actions={actions} />}
    </>
  );
}
