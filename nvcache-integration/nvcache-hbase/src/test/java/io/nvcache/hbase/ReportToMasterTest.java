// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.MessageOptions;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

final class ReportToMasterTest {
  private static final int SIZE_MB = 100;

  @Test
  void shouldLeaveTheReportOfAReleaseThatKnowsNoColdDataAsItIs() {
    RegionServerReportRequest report = report(region(1, 0.25f));
    if (ServerLoad.getDescriptor().getFields().stream()
        .noneMatch(field -> field.getName().toLowerCase().contains("cold"))) {
      assertThat(ReportToMaster.completed(report)).isEqualTo(report);
    }
  }

  @Test
  void shouldReportWhatIsNotCachedAsColdUpToAHalf() throws Exception {
    Message completed =
        ReportToMaster.completed(
            newer(report(region(1, 0.25f), region(2, 0.8f), region(3, 1), region(4, 1.1f))));
    assertThat(coldRatios(completed))
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-5 ? 0 : Float.compare(a, b))
        .containsExactly(0.5f, 0.2f, 0f, 0f);
    assertThat(coldMegabytes(completed))
        .isEqualTo(Map.of(name(1), 50, name(2), 20, name(3), 0, name(4), 0));
    assertThat(ReportToMaster.completed(completed)).as("once more").isEqualTo(completed);
  }

  /** The balancer leaves alone what it takes for well cached: from 0.35 on, by default. */
  @Test
  void shouldReportEnough() {
    for (float cached = 0; cached <= 1; cached += 0.01f) {
      float cold = ReportToMaster.coldRatio(cached);
      assertThat(cached + cold).isGreaterThan(0.35f);
      assertThat(cold).as("something to weigh the region by").isLessThan(1);
    }
    assertThat(ReportToMaster.coldRatio(0.9f)).isCloseTo(0.1f, within(1e-5f));
  }

  private static RegionInfo info(int region) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
        .setStartKey(Bytes.toBytes(region))
        .setEndKey(Bytes.toBytes(region + 1))
        .setRegionId(1)
        .build();
  }

  private static String name(int region) {
    return info(region).getEncodedName();
  }

  private static RegionLoad region(int region, float cachedRatio) {
    return RegionLoad.newBuilder()
        .setRegionSpecifier(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFrom(info(region).getRegionName())))
        .setRegionSizeMB(SIZE_MB)
        .setCurrentRegionCachedRatio(cachedRatio)
        .build();
  }

  private static RegionServerReportRequest report(RegionLoad... regions) {
    return RegionServerReportRequest.newBuilder()
        .setServer(HBaseProtos.ServerName.newBuilder().setHostName("here").setPort(1))
        .setLoad(ServerLoad.newBuilder().addAllRegionLoads(List.of(regions)))
        .build();
  }

  /** The same report in a protocol that has what 2.6.6 added; the numbers do not matter. */
  private static Message newer(Message report) throws Exception {
    FileDescriptor today = ServerLoad.getDescriptor().getFile();
    FileDescriptorProto.Builder file = today.toProto().toBuilder();
    for (DescriptorProto.Builder message : file.getMessageTypeBuilderList()) {
      if (message.getName().equals("RegionLoad")) {
        without(message, "cold");
        message.addField(
            field("current_region_cold_data_ratio", 900, Type.TYPE_FLOAT, Label.LABEL_OPTIONAL));
      } else if (message.getName().equals("ServerLoad")) {
        without(message, "cold");
        message
            .addNestedType(
                DescriptorProto.newBuilder()
                    .setName("RegionColdDataEntry")
                    .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                    .addField(field("key", 1, Type.TYPE_STRING, Label.LABEL_OPTIONAL))
                    .addField(field("value", 2, Type.TYPE_INT32, Label.LABEL_OPTIONAL)))
            .addField(
                field("regionColdData", 901, Type.TYPE_MESSAGE, Label.LABEL_REPEATED).toBuilder()
                    .setTypeName(".hbase.pb.ServerLoad.RegionColdDataEntry"));
      }
    }
    FileDescriptor status =
        FileDescriptor.buildFrom(
            file.build(), today.getDependencies().toArray(FileDescriptor[]::new));
    FileDescriptor outer = RegionServerReportRequest.getDescriptor().getFile();
    List<FileDescriptor> parts = new ArrayList<>();
    outer.getDependencies().forEach(part -> parts.add(part.equals(today) ? status : part));
    Descriptor request =
        FileDescriptor.buildFrom(outer.toProto(), parts.toArray(FileDescriptor[]::new))
            .findMessageTypeByName("RegionServerReportRequest");
    return DynamicMessage.parseFrom(request, report.toByteString());
  }

  private static void without(DescriptorProto.Builder message, String word) {
    for (int i = message.getFieldCount() - 1; i >= 0; i--) {
      if (message.getField(i).getName().toLowerCase().contains(word)) {
        message.removeField(i);
      }
    }
  }

  private static FieldDescriptorProto field(String name, int number, Type type, Label label) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(label)
        .build();
  }

  private static Message load(Message report) {
    return (Message) report.getField(report.getDescriptorForType().findFieldByName("load"));
  }

  private static List<?> all(Message load, String field) {
    FieldDescriptor found = load.getDescriptorForType().findFieldByName(field);
    return (List<?>) load.getField(found);
  }

  private static List<Float> coldRatios(Message report) {
    List<Float> ratios = new ArrayList<>();
    for (Object region : all(load(report), "region_loads")) {
      Message of = (Message) region;
      ratios.add(
          (Float)
              of.getField(
                  of.getDescriptorForType().findFieldByName("current_region_cold_data_ratio")));
    }
    return ratios;
  }

  private static Map<String, Integer> coldMegabytes(Message report) {
    Map<String, Integer> megabytes = new TreeMap<>();
    for (Object each : all(load(report), "regionColdData")) {
      Message entry = (Message) each;
      Descriptor type = entry.getDescriptorForType();
      megabytes.put(
          (String) entry.getField(type.findFieldByName("key")),
          (Integer) entry.getField(type.findFieldByName("value")));
    }
    return megabytes;
  }
}
