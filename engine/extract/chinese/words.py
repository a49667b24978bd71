"""Chinese word lists that the rules share. General language only."""

from __future__ import annotations

import re

# What ends the name of a firm or body, with its type; longer ones stand first in the pattern.
ORGANISATION_ENDINGS = {
    "company": """
        股份有限公司 有限责任公司 有限公司 分公司 子公司 公司 集团 控股 科技 制造 物流 医疗 医药 药业 检测 冷链 重工 电子 资本 投资 软件 网络
        信息 贸易 商贸 实业 食品 能源 汽车 地产 置业 传媒 化工 建设 建筑 股份 环保 智能 航空 航运 海运 船务 机械 纺织 服饰 餐饮 酒店 超市
        百货 通信 通讯 数码 光电 半导体 生物 咨询 设计 广告 出版社 印刷 包装 仓储 快递 速运 供应链 新能源 电力 石化 钢铁 矿业 农业 牧业
        货运 速递 货代 器械 诊断 口腔 装饰 园林 家政 物业 租赁 酒业 茶业 纸业 种业 鞋业 泵业 乳品 粮油 水产 五金 建材 钢构 模具 塑胶
        橡胶 电气 电缆 仪器 仪表 照明 光伏 储能 机器人 航天 港务 影视 动漫 珠宝 眼镜 玩具 服装 陶瓷 玻璃 涂料 饲料 畜牧 渔业 证券 期货 信托
        租车 汽修 汽配 精工 铸造 阀门 轴承 电机 电源 电池 芯片 微电子 数控 乳业 水务 燃气 旅游 文化 影业 游戏 教育 培训 安防 自动化 精密 材料 新材 家居 家具 电器 工业 国际 工作室 厂 光学 声学 影像 精机 电商 铝业 铜业 锂业 硅业
    """.split(),
    "bank": ["银行", "信用社"],
    "insurer": ["保险", "人寿", "财险"],
    "law_firm": ["律师事务所", "律所", "事务所"],
    "school": ["大学", "学院", "中学", "小学", "学校", "幼儿园"],
    "hospital": ["医院", "诊所", "卫生院"],
    "court": ["人民法院", "法院", "仲裁委员会", "仲裁委"],
    "government_body": ["委员会", "管理局", "监管局", "税务局", "工商局", "公安局", "海关", "政府", "检察院"],
    "organisation": ["协会", "学会", "基金会", "研究院", "研究所", "商会", "中心", "俱乐部"],
}  # fmt: skip
ENDING_TYPE = {ending: type_ for type_, endings in ORGANISATION_ENDINGS.items() for ending in endings}
ENDING = re.compile("(?:" + "|".join(sorted(ENDING_TYPE, key=len, reverse=True)) + ")$")
# Endings that are everyday words as well: they end a name only behind what is surely one.
WEAK_ENDINGS = frozenset(
    """
    公司 集团 科技 制造 物流 检测 信息 网络 软件 投资 设计 建设 建筑 教育 培训 文化 旅游 国际 工业 材料 智能 咨询 包装 仓储 能源 汽车
    食品 电子 贸易 环保 生物 机械 农业 电力 游戏 广告 餐饮 酒店 超市 家具 电器 自动化 通信 通讯 厂 中心 学校 医院 银行 保险 大学 学院 法院
    货运 器械 诊断 口腔 装饰 园林 家政 物业 租赁 乳品 粮油 水产 五金 建材 模具 塑胶 橡胶 电气 电缆 仪器 仪表 照明 光伏 储能 机器人 航天
    影视 动漫 珠宝 眼镜 玩具 服装 陶瓷 玻璃 涂料 饲料 畜牧 渔业 证券 期货 信托 租车 汽修 汽配 精工 铸造 阀门 轴承 电机 电源 电池 芯片 数控
    政府 海关 资本 供应链 快递 印刷 航空 传媒 股份 医疗 医药 控股 光学 声学 影像 电商
    """.split()
)
PRODUCTS = re.compile(
    r"企业微信|微信|钉钉|飞书|支付宝|阿里云|腾讯云|华为云|百度云|用友|金蝶|抖音|淘宝|天猫|京东云|腾讯会议|石墨文档|语雀|有赞|纷享销客|销售易|泛微|致远|明道云|QQ|"
    r"\b(?:Salesforce|SAP|Oracle|HubSpot|Slack|Jira|Zoom|Excel|Word|GitHub|GitLab|Notion|Tableau|MySQL|Redis|Kafka|Docker|Kubernetes|Windows|Linux|macOS|Python|Java)\b"
)
ROLE_ENDINGS = (
    "总经理 副总经理 总监 副总监 经理 主管 主任 总裁 副总裁 董事长 副董事长 董事 监事 工程师 律师 法官 会计 助理 秘书 顾问 代表 负责人 专员 部长 院长 校长 教授 老师 "
    "医生 护士 合伙人 创始人 联合创始人 客户经理 销售 厂长 店长 班长 组长 队长 处长 科长 局长 书记 主席 理事 理事长 秘书长 会长 研究员 分析师 设计师 架构师 程序员 "
    "出纳 采购员 司机 翻译 编辑 主编 记者 导演 检察官 庭长 审判长 书记员 首席执行官 首席财务官 首席技术官 首席运营官 CEO CFO CTO COO 法定代表人 法人代表"
).split()
ROLE = re.compile(rf"[\u4e00-\u9fffA-Z]{{0,6}}?(?:{'|'.join(sorted(ROLE_ENDINGS, key=len, reverse=True))})")
ROLE_WORD = re.compile("|".join(sorted(ROLE_ENDINGS, key=len, reverse=True)))
ROLE_AT_START = re.compile(
    rf"(?:[\u4e00-\u9fff]{{0,6}}?)(?:{'|'.join(sorted(ROLE_ENDINGS, key=len, reverse=True))})(?!人|部|室|办)"
)
PERSON_SUFFIX = re.compile(r"[\u4e00-\u9fff](?:总|工|董|局|经理|主任|老师|律师|先生|女士|小姐|师傅|医生|法官|教授)$")
NUMBERED_THING = re.compile(
    r"[\u4e00-\u9fff]{0,2}?(?:[A-Za-z]?\d{1,4}(?:-\d{1,4})?)号(?:机|楼|线|库|车间|泵|炉|门店|店|院|仓|码头|泊位|电梯|设备|机组|厅|会议室)|(?:车间|产线|仓库|泊位|月台|会议室|电梯)[A-Za-z]?\d{1,4}"
)
NOT_NAMES = frozenset(
    "我方 我司 贵司 贵方 对方 双方 甲方 乙方 公司 集团 客户 本人 目前 现在 今天 中国移动的 总部 总公司 分公司 子公司 该公司 信息 医院 银行 法院 学校 大家 人家".split()
)
# Nouns that say what a firm is; they stand in front of its name and are no part of it.
NOT_FIRST = frozenset(
    "原告 被告 客户 供应商 老客户 新客户 代理商 经销商 合作方 对手 竞争对手 第三方 申请人 被申请人 甲方 乙方 上诉人 母公司 子公司 股东 房东 我们 他们 咱们 两家 这家 那家 员工 同事".split()
)
# Large towns, provinces and countries, without the word that says what they are.
KNOWN_PLACES = frozenset(
    """
    北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 无锡 常州 宁波 温州 绍兴 嘉兴 合肥 芜湖 福州 厦门 泉州 南昌 济南 青岛 烟台 潍坊 郑州 洛阳 武汉 宜昌 长沙
    株洲 珠海 佛山 东莞 中山 惠州 汕头 南宁 桂林 柳州 海口 三亚 成都 绵阳 贵阳 遵义 昆明 大理 拉萨 西安 咸阳 兰州 西宁 银川 乌鲁木齐 呼和浩特 包头 太原 大同
    石家庄 唐山 保定 秦皇岛 沈阳 大连 鞍山 长春 吉林 哈尔滨 大庆 徐州 南通 扬州 镇江 盐城 金华 台州 湖州 香港 澳门 台北 高雄 台中
    河北 山西 辽宁 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 广西 内蒙古 西藏 宁夏 新疆
    中国 日本 韩国 美国 英国 法国 德国 意大利 西班牙 荷兰 瑞士 瑞典 挪威 俄罗斯 印度 泰国 越南 新加坡 马来西亚 印尼 菲律宾 澳大利亚 新西兰 加拿大 墨西哥 巴西
    东京 大阪 首尔 曼谷 河内 吉隆坡 雅加达 伦敦 巴黎 柏林 慕尼黑 罗马 米兰 马德里 阿姆斯特丹 苏黎世 莫斯科 迪拜 纽约 洛杉矶 旧金山 芝加哥 波士顿 西雅图 多伦多
    温哥华 悉尼 墨尔本 奥斯陆 斯德哥尔摩 哥本哈根 维也纳
    """.split()
)
