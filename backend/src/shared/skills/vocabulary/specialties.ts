/** Design, artificial intelligence, mobile, security, networks, mainframes, industries, and working methods. */
export const SPECIALTIES = `
Figma
?Sketch
Adobe XD
Photoshop
Adobe Experience Manager|aem
Sitecore
Machine Learning|ml
Deep Learning
NLP|natural language processing
Computer Vision
Generative AI|gen ai|genai
LLM|llms|large language models|large language model
LangChain
RAG|retrieval augmented generation
OpenAI|open ai
MLOps|ml ops
Kubeflow
MLflow
Data Science
Data Analysis|data analytics
Statistics
Android
iOS
Xamarin
Flutter
Ionic
Cordova
Kotlin Multiplatform
Cybersecurity|cyber security
SIEM
SailPoint|sail point
Okta
CyberArk|cyber ark
Ping Identity|pingfederate|ping federate
ForgeRock
OAuth|oauth2|oauth 2.0
SAML
LDAP
SSO|single sign on
PKI
Nessus
Qualys
CrowdStrike
Palo Alto Firewalls|palo alto firewall
Firewalls|firewall
Cisco|cisco routers
CCNA
CCNP
BGP
OSPF
MPLS
TCP/IP|tcp ip
DNS
DHCP
VPN
VoIP
F5|f5 load balancer
Load Balancing|load balancers|load balancer
SD-WAN|sd wan
Meraki
Juniper
Fortinet
NIST
SOC 2
HIPAA
PCI DSS|pci
GDPR
Penetration Testing|pen testing
OWASP
Mainframe|mainframes
JCL
CICS
VSAM
z/OS|z os
AS/400|as400|iseries|as 400
RPG|rpgle
Embedded Systems|embedded
RTOS
PLC
SCADA
AutoCAD
SolidWorks
Verilog
VHDL
FPGA
HL7
FHIR
Epic
Cerner
EDI
X12
SWIFT Payments
FIX Protocol
OOP|object oriented programming
Design Patterns|design pattern
Data Structures
Multithreading|multi threading
Event-Driven Architecture|event driven architecture|event driven
Domain-Driven Design|domain driven design
Distributed Systems
Serverless
WebSockets|websocket
OpenAPI|swagger
Crystal Reports
Control-M|control m
Autosys
Business Analysis
Requirements Gathering|requirement gathering
User Stories
Project Management
Stakeholder Management
Change Management
Technical Writing
Troubleshooting
UML
BPMN
UX Design|ux
UI Design
Wireframes|wireframing
Accessibility|section 508|wcag
SEO
Google Analytics
Segment.io
Tealium
Veeva
`;
