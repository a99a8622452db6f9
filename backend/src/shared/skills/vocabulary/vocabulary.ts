import { BUSINESS_SOFTWARE } from './business-software.js';
import { DATA_TOOLS } from './data.js';
import { LANGUAGES } from './languages.js';
import { PLATFORMS } from './platforms.js';
import { SPECIALTIES } from './specialties.js';
import { TESTING_AND_PROJECTS } from './testing-and-projects.js';

/**
 * IT skills, one per line: the name, then its aliases, separated by bars. A name or alias with a leading `?` is also a
 * common word or a single letter; see findSkills. If two skills share a name or alias, it stands for the first one.
 */
export const SKILL_LINES = [LANGUAGES, PLATFORMS, DATA_TOOLS, BUSINESS_SOFTWARE, TESTING_AND_PROJECTS, SPECIALTIES]
  .map((lines) => lines.trim())
  .join('\n');
