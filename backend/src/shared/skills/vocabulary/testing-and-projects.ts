/** Testing, and the planning of projects. */
export const TESTING_AND_PROJECTS = `
Selenium|selenium webdriver|selenium web driver
Cypress
Playwright
Cucumber
TestNG
JUnit
Mockito
Postman
SoapUI|soap ui
JMeter
LoadRunner|load runner
Appium
Katalon
Tosca|tricentis tosca
UFT|qtp
BDD|behavior driven development
TDD|test driven development
Jest
Mocha
Jasmine
Karma
API Testing
Manual Testing
Automation Testing|test automation|automated testing
Performance Testing
Regression Testing
UAT|user acceptance testing
HP ALM|alm|quality center
JIRA|atlassian jira
Confluence
Rally
Agile|agile methodology|agile methodologies
Scrum
Kanban
SAFe|scaled agile
SDLC
PMP
MS Project|microsoft project
Visio|ms visio
`;
