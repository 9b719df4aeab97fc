/**
 * Topic types with the names of the real service: their source resources and event types. Braces in event names list alternatives:
 * `Resource{Write,Delete}Success`.
 */

export interface TopicTypeRow {
  /** Without `Vendor.`: `Storage.StorageAccounts`. */
  readonly name: string;
  readonly displayName: string;
  /** Type of the source resource, after `/providers/Vendor.`; a whole path if it begins with a slash. */
  readonly source?: string;
  readonly isGlobal?: boolean;
  /** A service of the jar implements the source resources. */
  readonly isServed?: boolean;
  /** Set if the sources have no single path format. */
  readonly scopes?: readonly ('AzureSubscription' | 'ManagementGroup')[];
  /** Prefix of event names, for example `Storage`. */
  readonly prefix?: string;
  readonly events?: readonly string[];
  /** Event types outside of the default set. */
  readonly furtherEvents?: readonly string[];
}

const RESOURCE_CHANGES = ['Resource{Write,Delete,Action}{Success,Failure,Cancel}'];
const SUBSCRIPTION = '/subscriptions/<subscriptionId>';

/** In the order of the real service; topic types that only the jar has come last. */
export const TOPIC_TYPE_ROWS: readonly TopicTypeRow[] = [
  {
    name: 'Eventhub.Namespaces',
    displayName: 'Event hub namespaces',
    source: 'EventHub/namespaces/<namespaceName>',
    prefix: 'EventHub',
    events: ['CaptureFileCreated'],
  },
  {
    name: 'Storage.StorageAccounts',
    displayName: 'Storage accounts',
    source: 'Storage/storageAccounts/<storageAccountName>',
    prefix: 'Storage',
    events: ['Blob{Created,Deleted}'],
    furtherEvents: [
      'Directory{Created,Deleted}',
      '{Blob,Directory}Renamed',
      'BlobTierChanged',
      'AsyncOperationInitiated',
      'LifecyclePolicyCompleted',
      'BlobInventoryPolicyCompleted',
    ],
  },
  {
    name: 'Resources.Subscriptions',
    displayName: 'Subscriptions',
    source: SUBSCRIPTION,
    isGlobal: true,
    prefix: 'Resources',
    events: RESOURCE_CHANGES,
  },
  {
    name: 'Resources.ResourceGroups',
    displayName: 'Resource groups',
    source: `${SUBSCRIPTION}/resourceGroups/<resourceGroupName>`,
    isGlobal: true,
    prefix: 'Resources',
    events: RESOURCE_CHANGES,
  },
  {
    name: 'Devices.IoTHubs',
    displayName: 'Device hubs',
    source: 'Devices/ioTHubs/<hubName>',
    prefix: 'Devices',
    events: ['Device{Created,Deleted,Connected,Disconnected,Telemetry}'],
  },
  { name: 'EventGrid.Topics', displayName: 'Topics' },
  {
    name: 'ServiceBus.Namespaces',
    displayName: 'Service bus namespaces',
    source: 'ServiceBus/namespaces/<namespaceName>',
    prefix: 'ServiceBus',
    events: ['{Active,Deadletter}MessagesAvailable{WithNoListeners,PeriodicNotifications}'],
  },
  {
    name: 'ContainerRegistry.Registries',
    displayName: 'Container registries',
    source: 'ContainerRegistry/registries/<name>',
    prefix: 'ContainerRegistry',
    events: ['{Image,Chart}{Pushed,Deleted}'],
  },
  {
    name: 'Media.MediaServices',
    displayName: 'Media services',
    source: 'Media/MediaServices/<name>',
    prefix: 'Media',
    events: [
      'Job{StateChange,Scheduled,Processing,Canceling,Finished,Canceled,Errored}',
      'JobOutput{StateChange,Scheduled,Processing,Canceling,Finished,Canceled,Errored,Progress}',
      'LiveEvent{EncoderConnected,ConnectionRejected,EncoderDisconnected,IncomingStreamReceived}',
      'LiveEventIncoming{StreamsOutOfSync,VideoStreamsOutOfSync,DataChunkDropped}',
      'LiveEvent{IngestHeartbeat,TrackDiscontinuityDetected,ChannelArchiveHeartbeat}',
    ],
  },
  {
    name: 'Maps.Accounts',
    displayName: 'Maps accounts',
    source: 'Maps/Accounts/<name>',
    isGlobal: true,
    prefix: 'Maps',
    events: ['Geofence{Entered,Exited,Result}'],
  },
  { name: 'EventGrid.Domains', displayName: 'Domains' },
  {
    name: 'AppConfiguration.ConfigurationStores',
    displayName: 'App configuration stores',
    source: 'AppConfiguration/ConfigurationStores/<name>',
    prefix: 'AppConfiguration',
    events: ['KeyValue{Modified,Deleted}', 'Snapshot{Created,Modified}'],
  },
  {
    name: 'KeyVault.vaults',
    displayName: 'Key vaults',
    source: 'KeyVault/vaults/<name>',
    prefix: 'KeyVault',
    events: ['{Certificate,Key,Secret}{NewVersionCreated,NearExpiry,Expired}', 'VaultAccessPolicyChanged'],
  },
  {
    name: 'Web.Sites',
    displayName: 'Web apps',
    source: 'Web/sites/<name>',
    prefix: 'Web',
    events: [
      'AppUpdated',
      '{Backup,Restore}Operation{Started,Completed,Failed}',
      'SlotSwap{Started,Completed,Failed}',
      'SlotSwapWithPreview{Started,Cancelled}',
    ],
  },
  {
    name: 'Web.ServerFarms',
    displayName: 'App service plans',
    source: 'Web/ServerFarms/<name>',
    prefix: 'Web',
    events: ['AppServicePlanUpdated'],
  },
  {
    name: 'SignalRService.SignalR',
    displayName: 'SignalR services',
    source: 'SignalRService/SignalR/<name>',
    prefix: 'SignalRService',
    events: ['ClientConnection{Connected,Disconnected}'],
  },
  {
    name: 'MachineLearningServices.Workspaces',
    displayName: 'Machine learning workspaces',
    source: 'MachineLearningServices/Workspaces/<name>',
    prefix: 'MachineLearningServices',
    events: ['Model{Registered,Deployed}', 'Run{Completed,StatusChanged}', 'DatasetDriftDetected'],
  },
  {
    name: 'Cache.Redis',
    displayName: 'Redis caches',
    source: 'Cache/Redis/<redisName>',
    prefix: 'Cache',
    events: ['{Patching,Scaling,ImportRDB,ExportRDB}Completed'],
  },
  {
    name: 'Communication.CommunicationServices',
    displayName: 'Communication services',
    source: 'Communication/communicationservices/<name>',
    isGlobal: true,
    prefix: 'Communication',
    events: [
      'SMS{Received,DeliveryReportReceived}',
      'IncomingCall',
      'Call{Started,Ended,ParticipantAdded,ParticipantRemoved}',
      'ChatMessage{Received,Edited,Deleted}{,InThread}',
      'ChatThread{Created,CreatedWithUser,Deleted,WithUserDeleted,ParticipantAdded,ParticipantRemoved}',
      'ChatThreadPropertiesUpdated{,PerUser}',
      'ChatParticipant{AddedToThreadWithUser,RemovedFromThreadWithUser}',
      'Chat{TypingIndicator,AzureBotCommand}ReceivedInThread',
      'Email{DeliveryReport,EngagementTrackingReport}Received',
      'RecordingFileStatusUpdated',
      'RouterJob{Received,Classified,ClassificationFailed,Queued,WaitingForActivation,SchedulingFailed,Unassigned}',
      'RouterJob{Completed,Closed,Cancelled,Deleted,ExceptionTriggered,WorkerSelectorsExpired}',
      'RouterWorker{Registered,Deregistered,Updated,Deleted}',
      'RouterWorkerOffer{Issued,Accepted,Declined,Expired,Revoked}',
      'AdvancedMessage{Received,DeliveryStatusUpdated}',
      'UserDisconnected',
    ],
  },
  {
    name: 'PolicyInsights.PolicyStates',
    displayName: 'Policy states',
    isGlobal: true,
    scopes: ['AzureSubscription'],
    prefix: 'PolicyInsights',
    events: ['PolicyState{Created,Changed,Deleted}'],
  },
  {
    name: 'AgFoodPlatform.FarmBeats',
    displayName: 'Agriculture platforms',
    source: 'AgFoodPlatform/farmBeats/<name>',
  },
  {
    name: 'ApiManagement.Service',
    displayName: 'API management services',
    source: 'ApiManagement/service/<name>',
    prefix: 'ApiManagement',
    events: [
      '{User,Product,API,APIRelease,Subscription}{Created,Updated,Deleted}',
      'Gateway{,CertificateAuthority,HostnameConfiguration}{Created,Updated,Deleted}',
      'GatewayAPI{Added,Removed}',
      'GatewayToken{NearExpiry,Expired}',
      'CircuitBreaker.{Opened,Closed}',
    ],
  },
  {
    name: 'HealthcareApis.Workspaces',
    displayName: 'Healthcare workspaces',
    source: 'HealthcareApis/workspaces/<name>',
    prefix: 'HealthcareApis',
    events: ['{FhirResource,DicomImage}{Created,Updated,Deleted}'],
  },
  {
    name: 'EventGrid.Namespaces',
    displayName: 'Event namespaces',
    source: 'EventGrid/namespaces/<name>',
    prefix: 'EventGrid',
    events: ['MQTTClient{CreatedOrUpdated,Deleted,SessionConnected,SessionDisconnected}'],
  },
  {
    name: 'ContainerService.ManagedClusters',
    displayName: 'Managed clusters',
    source: 'ContainerService/managedClusters/<clusterName>',
    prefix: 'ContainerService',
    events: [
      'NewKubernetesVersionAvailable',
      'ClusterSupport{Ending,Ended}',
      'NodePoolRolling{Started,Succeeded,Failed}',
    ],
  },
  {
    name: 'ApiCenter.Services',
    displayName: 'API centers',
    source: 'ApiCenter/services/<serviceName>',
    prefix: 'ApiCenter',
    events: ['ApiDefinition{Added,Updated}'],
  },
  {
    name: 'DataBox.Jobs',
    displayName: 'Data box jobs',
    source: 'DataBox/jobs/<jobName>',
    prefix: 'DataBox',
    events: ['Copy{Started,Completed}', 'OrderCompleted'],
  },
  {
    name: 'AVS.PrivateClouds',
    displayName: 'Private clouds',
    source: 'AVS/privateClouds/<privateCloudName>',
    prefix: 'AVS',
    events: [
      'Cluster{Created,Updating,Updated,Deleted,Failed}',
      'PrivateCloud{Updating,Updated,Failed}',
      'ScriptExecution{Started,Finished,Cancelled,Failed}',
    ],
  },
  {
    name: 'StorageActions.StorageTasks',
    displayName: 'Storage tasks',
    source: 'StorageActions/storageTasks/<storageTaskName>',
    prefix: 'Storage',
    events: ['StorageTask{,Assignment}{Queued,Completed}'],
  },
  {
    name: 'Edge.Solutions',
    displayName: 'Edge solutions',
    source: 'Edge/solutions/<solutionName>',
    prefix: 'Edge',
    events: ['SolutionVersionPublished'],
  },
  {
    name: 'ResourceNotifications.Resources',
    displayName: 'Resource notifications',
    source: SUBSCRIPTION,
    isGlobal: true,
    prefix: 'ResourceNotifications',
    events: ['Resources.{CreatedOrUpdated,Deleted}'],
  },
  {
    name: 'ResourceNotifications.HealthResources',
    displayName: 'Health notifications',
    source: SUBSCRIPTION,
    isGlobal: true,
    prefix: 'ResourceNotifications',
    events: ['HealthResources.{AvailabilityStatusChanged,ResourceAnnotated}'],
  },
  {
    name: 'ResourceNotifications.ContainerServiceEventResources',
    displayName: 'Container service notifications',
    source: SUBSCRIPTION,
    isGlobal: true,
    prefix: 'ResourceNotifications',
    events: ['ContainerServiceEventResources.ScheduledEventEmitted'],
  },
  // Only in the jar: the real service has no name for it.
  {
    name: 'Management.ManagementGroups',
    displayName: 'Management groups',
    source: '/providers/Vendor.Management/managementGroups/<groupId>',
    isGlobal: true,
    scopes: ['ManagementGroup'],
    prefix: 'Resources',
    events: RESOURCE_CHANGES,
  },
  // Only in the jar: its only events are management operations.
  {
    name: 'ContainerInstance.ContainerGroups',
    displayName: 'Container groups',
    source: 'ContainerInstance/containerGroups/<containerGroupName>',
    isServed: true,
    prefix: 'Resources',
    events: RESOURCE_CHANGES,
  },
];
