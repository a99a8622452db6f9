import type { Terms } from '../filter';
import type { Group } from './tree';

/** Props of every part of the builder. */
export interface BuilderProps {
  tree: Group;
  terms: Terms;
  /** Whether incomplete rules show what is missing; only after an attempt to save. */
  showFaults: boolean;
  /** @param focus the control to focus: a rule's id, or its id with `:up` or `:down` for its button */
  onChange: (tree: Group, focus?: string) => void;
}
