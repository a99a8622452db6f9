import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { IconUpload } from '../../../ui/icons';
import { PersonAvatar } from '../../../ui/person-avatar';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, useRemovePicture, useSetPicture } from '../api';
import { messages } from '../messages';
import { cutPicture } from '../picture';

/** The profile picture: cut to a small square here, so that what is uploaded is small whatever was chosen. */
export function PictureEditor() {
  const user = useCurrentUser();
  const [set, isSetting] = useSetPicture();
  const [remove, isRemoving] = useRemovePicture();
  const [isCutting, setCutting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const refuse = (description: string) => toast({ title: messages.updateFailed, description, variant: 'destructive' });
  const upload = async (file: File) => {
    setCutting(true);
    const picture = await cutPicture(file).catch(() => null);
    setCutting(false);
    if (!picture) return refuse(messages.pictureUnreadable);
    try {
      await set(picture);
      toast({ title: messages.updated, description: messages.pictureSaved, variant: 'success' });
    } catch (error) {
      refuse(errorMessage(error, messages.tryAgain));
    }
  };
  const drop = async () => {
    try {
      await remove();
      toast({ title: messages.updated, description: messages.pictureRemoved, variant: 'success' });
    } catch (error) {
      refuse(errorMessage(error, messages.tryAgain));
    }
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <PersonAvatar person={user} size={72} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            hidden
            aria-label="Profile picture"
            onChange={(event) => {
              const file = event.target.files?.[0];
              event.target.value = '';
              if (file) void upload(file);
            }}
          />
          <SubmitButton type="button" variant="outlined" color="inherit" size="small" pending={isCutting || isSetting} loadingPosition="start" startIcon={<IconUpload size={15} aria-hidden />} onClick={() => input.current?.click()}>
            {user.profileImageUrl ? 'Change picture' : 'Upload picture'}
          </SubmitButton>
          {user.profileImageUrl && (
            <Button color="inherit" size="small" loading={isRemoving} onClick={() => void drop()}>
              Remove
            </Button>
          )}
        </Box>
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', mt: 0.75 }}>
          PNG, JPEG or WebP. The middle square is used.
        </Typography>
      </Box>
    </Box>
  );
}
