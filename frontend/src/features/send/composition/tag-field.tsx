import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { FallbackPopover } from '../../../ui/editor/toolbar/fallback-popover';
import { IconTag } from '../../../ui/editor/toolbar/icons';
import { TagMenu } from '../../../ui/editor/toolbar/tag-menu';
import { tagText } from '../../../ui/editor/document';
import type { TextPlace } from '../../../ui/editor/text-place';
import type { TagOption } from '../../../ui/editor/tags/tag-labels';
import { tagsIn, type WrittenTag } from '../../../ui/editor/tags/tag-syntax';
import { lengthHint } from '../../../lib/format';
import { Tooltip } from '../../../ui/tooltip';
import { TagChips } from './tag-chips';

interface TagFieldProps {
  id: string;
  label: ReactNode;
  value: string;
  onChange: (value: string) => void;
  max: number;
  tags: readonly TagOption[];
  hint: string;
  placeholder?: string;
  required?: boolean;
  autoFocus?: boolean;
  /** The range that is selected when the field is opened. */
  place?: TextPlace | null;
}

/**
 * A single-line field with merge tags, which are typed as `{{first_name|there}}` or inserted. Without focus it shows
 * them as chips, with focus as text.
 */
export function TagField(props: TagFieldProps) {
  const { id, label, value, onChange, max, tags, hint, placeholder, required, autoFocus, place } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(Boolean(autoFocus));
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const [edited, setEdited] = useState<{ tag: WrittenTag; anchor: HTMLElement } | null>(null);
  const select = useEffectEvent(() => {
    if (!place) return;
    input.current?.focus();
    input.current?.setSelectionRange(place.from, place.to);
  });
  useEffect(() => select(), []);
  const { error, hint: left } = lengthHint(value.trim().length, max);
  const written = tagsIn(value);
  const showsChips = written.length > 0 && !isTyping;
  const insert = (text: string, from: number, to: number) => {
    onChange(value.slice(0, from) + text + value.slice(to));
    const at = from + text.length;
    // Runs after the new value was rendered.
    setTimeout(() => {
      input.current?.focus();
      input.current?.setSelectionRange(at, at);
    });
  };
  return (
    <Box>
      <TextField
        id={id}
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={placeholder}
        error={Boolean(error)}
        helperText={error ?? left ?? hint}
        autoFocus={autoFocus}
        inputRef={input}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
        slotProps={{
          htmlInput: {
            'aria-required': required,
            ...(showsChips && { style: { WebkitTextFillColor: 'transparent' } }),
          },
          input: {
            endAdornment: (
              <InputAdornment position="end">
                <Tooltip title="Insert tag">
                  <IconButton
                    size="small"
                    edge="end"
                    aria-label="Insert tag"
                    aria-haspopup="dialog"
                    onClick={(event) => setMenu(event.currentTarget)}
                  >
                    <IconTag size={16} aria-hidden />
                  </IconButton>
                </Tooltip>
                <TagChips
                  value={value}
                  tags={written}
                  isVisible={showsChips}
                  onEdit={(tag, anchor) => setEdited({ tag, anchor })}
                  onRemove={({ from, to }) => insert('', from, to)}
                />
              </InputAdornment>
            ),
          },
        }}
      />
      {menu && (
        <TagMenu
          anchor={menu}
          tags={tags}
          onClose={() => {
            menu.focus();
            setMenu(null);
          }}
          onChoose={(attrs) => {
            setMenu(null);
            const { selectionStart, selectionEnd } = input.current ?? {};
            insert(tagText(attrs), selectionStart ?? value.length, selectionEnd ?? value.length);
          }}
        />
      )}
      {edited && (
        <FallbackPopover
          tag={edited.tag.tag}
          fallback={edited.tag.fallback}
          anchor={edited.anchor}
          onClose={() => setEdited(null)}
          onApply={(fallback) => {
            setEdited(null);
            insert(tagText({ tag: edited.tag.tag, fallback }), edited.tag.from, edited.tag.to);
          }}
        />
      )}
    </Box>
  );
}
