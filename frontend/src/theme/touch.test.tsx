import { describe, expect, it } from '@jest/globals';
import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import Radio from '@mui/material/Radio';
import Switch from '@mui/material/Switch';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import type { ReactElement } from 'react';
import { renderPiece } from '../../test/render';
import { FINGER_PX, ON_TOUCH } from './touch';

/** Whether a selector matches; selectors for other browsers, which jsdom rejects, do not. */
function matches(element: Element, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

const withoutSpaces = (text: string) => text.replaceAll(' ', '');

/** The style rules of the document that match an element: those in the given media query, or those outside of any. */
function rulesOf(element: Element, media?: string): CSSStyleDeclaration[] {
  const all = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const isMeant = (rule: CSSRule): rule is CSSMediaRule =>
    'media' in rule && withoutSpaces(rule.cssText).startsWith(withoutSpaces(media ?? ''));
  const rules = media ? all.filter(isMeant).flatMap((rule) => [...rule.cssRules]) : all;
  return rules
    .filter((rule): rule is CSSStyleRule => 'selectorText' in rule)
    .filter(({ selectorText }) => matches(element, selectorText))
    .map(({ style }) => style);
}

describe('on a touch screen', () => {
  it.each<[string, string, ReactElement]>([
    ['a button', '.MuiButton-root', <Button key="1">Save</Button>],
    [
      'a small button',
      '.MuiButton-root',
      <Button key="2" size="small">
        Save
      </Button>,
    ],
    ['a button with an icon only', '.MuiIconButton-root', <IconButton key="3" size="small" aria-label="Close" />],
    [
      'a choice',
      '.MuiToggleButton-root',
      <ToggleButton key="4" value="one">
        One
      </ToggleButton>,
    ],
    [
      'a tab',
      '.MuiTab-root',
      <Tabs key="5" value={0}>
        <Tab label="One" />
      </Tabs>,
    ],
    [
      'an entry of a menu',
      '.MuiMenuItem-root',
      <MenuList key="6">
        <MenuItem>One</MenuItem>
      </MenuList>,
    ],
    ['a field', '.MuiOutlinedInput-root', <TextField key="7" label="Name" />],
    [
      'the label of a check box',
      '.MuiFormControlLabel-root',
      <FormControlLabel key="8" control={<Checkbox />} label="All" />,
    ],
  ])('%s is as high as a finger', (_what, selector, control) => {
    const { container } = renderPiece(control);
    const heights = rulesOf(container.querySelector(selector)!, ON_TOUCH).map((style) =>
      style.getPropertyValue('min-height'),
    );
    expect(heights.at(-1)).toBe(`${FINGER_PX}px`);
  });
});

describe('a field with suggestions on a touch screen', () => {
  it.each([
    ['one button', true, FINGER_PX],
    ['two buttons', false, 2 * FINGER_PX],
  ])('keeps its text clear of %s', (_what, disableClearable, width) => {
    const { container } = renderPiece(
      <Autocomplete
        options={['One']}
        value="One"
        disableClearable={disableClearable}
        renderInput={(props) => <TextField {...props} label="Name" />}
      />,
    );
    const paddings = rulesOf(container.querySelector('.MuiAutocomplete-inputRoot')!, ON_TOUCH).map((style) =>
      style.getPropertyValue('padding-right'),
    );
    // MUI places the buttons 9 px from the edge of the field.
    expect(parseInt(paddings.filter(Boolean).at(-1)!)).toBeGreaterThanOrEqual(width + 9);
  });
});

describe('by keyboard', () => {
  it.each<[string, string, ReactElement]>([
    ['a check box', '.MuiCheckbox-root', <Checkbox key="1" />],
    ['a radio button', '.MuiRadio-root', <Radio key="2" />],
    ['a switch', '.MuiSwitch-track', <Switch key="3" />],
    [
      'a choice',
      '.MuiToggleButton-root',
      <ToggleButton key="4" value="one">
        One
      </ToggleButton>,
    ],
    [
      'a tab',
      '.MuiTab-root',
      <Tabs key="5" value={0}>
        <Tab label="One" />
      </Tabs>,
    ],
  ])('%s that has the focus shows a ring', async (_what, selector, control) => {
    const { container, user } = renderPiece(control);
    const shown = container.querySelector(selector)!;
    const hasRing = () => rulesOf(shown).some(({ cssText }) => /outline: ?2px solid/.test(cssText));
    expect(hasRing()).toBe(false);
    await user.tab();
    expect(hasRing()).toBe(true);
  });
});
