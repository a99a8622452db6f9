import Avatar from '@mui/material/Avatar';
import { fullName, initials } from '../lib/format';

interface PersonAvatarProps {
  person: { firstName?: string | null; lastName?: string | null; profileImageUrl?: string | null };
  size?: number;
}

/** A person's picture. If there is none or it fails to load, shows the initials, or U without a name. */
export function PersonAvatar({ person, size = 34 }: PersonAvatarProps) {
  return (
    <Avatar
      src={person.profileImageUrl ?? undefined}
      alt={fullName(person)}
      sx={{
        width: size,
        height: size,
        fontSize: `${(size * 0.38) / 16}rem`,
        fontWeight: 620,
        bgcolor: 'surface.raised',
        color: 'text.primary',
        border: 1,
        borderColor: 'divider',
      }}
    >
      {initials(person)}
    </Avatar>
  );
}
