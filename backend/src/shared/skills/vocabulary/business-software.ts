/** Business software, and software that connects and automates it. */
export const BUSINESS_SOFTWARE = `
Power Apps|powerapps
Power Automate
Power Platform
SharePoint|share point
Dynamics 365|d365|ms dynamics|microsoft dynamics|dynamics crm
Salesforce|sfdc|salesforce crm
?Apex
Visualforce
Lightning Web Components|lwc|lightning
Salesforce CPQ
Marketing Cloud|sfmc|salesforce marketing cloud
MuleSoft|mule soft|mule esb|mule
Dell Boomi|boomi
TIBCO
webMethods|web methods
IBM WebSphere|websphere
WebLogic
Tomcat|apache tomcat
JBoss
Nginx
IIS
Apigee
ServiceNow|service now|snow
ITSM
ITIL
Workday
PeopleSoft|people soft
NetSuite
Oracle EBS|oracle e-business suite|ebs
Oracle Fusion|fusion cloud|oracle fusion cloud
Oracle HCM
OIC|oracle integration cloud
SAP
SAP FICO|fico|sap fi co
SAP MM
SAP SD
SAP ABAP|abap
SAP HANA|hana
S/4HANA|s4hana|s 4hana|s4 hana|s 4 hana|sap s4
SAP BW
SAP Fiori|fiori
SAP UI5|ui5
SAP SuccessFactors|successfactors
SAP Ariba|ariba
SAP EWM|ewm
SAP PI/PO|sap pi po
SAP Basis
SAP CPI
Pega|pega prc
Appian
Camunda
UiPath|ui path
Automation Anywhere
Blue Prism
RPA|robotic process automation
OutSystems
Guidewire|guidewire policycenter
PolicyCenter|policy center
ClaimCenter|claim center
BillingCenter|billing center
Duck Creek
`;
